-- A stream table over a stream table: reads what changed in `sales`, and updates the groups it falls into.
select
    ordered_on,
    category,
    count(*) as lines_sold,
    sum(quantity) as pieces,
    sum(amount) as revenue,
    avg(amount) as average_amount
from {{ ref('sales') }}
group by ordered_on, category
