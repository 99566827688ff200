-- Reads only the rows of customer_ranking that changed.
select
    country,
    count(*) as best_customers,
    sum(spent) as spent_by_them
from {{ ref('customer_ranking') }}
where place <= 10
group by country
