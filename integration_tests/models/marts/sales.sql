-- A join of three tables. A change on any side, or on all of them at once, reaches exactly the rows it concerns.
select
    orders.order_id,
    lines.line_number,
    orders.customer_id,
    orders.ordered_at,
    orders.ordered_on,
    products.product,
    products.category,
    lines.quantity,
    lines.amount
from {{ ref('stg_orders') }} as orders
join {{ ref('stg_order_lines') }} as lines
    on lines.order_id = orders.order_id
join {{ ref('stg_products') }} as products
    on products.product_id = lines.product_id
where orders.status <> 'cancelled'
