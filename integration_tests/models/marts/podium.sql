-- Downstream of a recomputed table and incremental all the same.
select
    country,
    count(*) as best_customers,
    sum(spent) as spent_by_them
from {{ ref('customer_ranking') }}
where place <= 10
group by country
