-- DISTINCT: a row appears with its first reason and disappears with its last.
select distinct
    customers.country,
    customers.city,
    sales.category
from {{ ref('sales') }} as sales
join {{ ref('stg_customers') }} as customers
    on customers.customer_id = sales.customer_id
