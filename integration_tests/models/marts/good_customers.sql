-- HAVING: customers enter and leave as their purchases do. MIN and MAX survive the removal of the row they came from.
select
    customer_id,
    count(*) as lines_bought,
    sum(amount) as spent,
    min(ordered_at) as first_order_at,
    max(ordered_at) as last_order_at,
    max(amount) as largest_amount
from {{ ref('sales') }}
where customer_id is not null
group by customer_id
having sum(amount) >= 3000
