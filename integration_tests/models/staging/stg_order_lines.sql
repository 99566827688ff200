select
    order_id,
    line_number,
    product_id,
    quantity,
    cast(quantity * unit_price * (1 - coalesce(discount, 0)) as decimal(12, 2)) as amount
from {{ source('shop', 'order_lines') }}
