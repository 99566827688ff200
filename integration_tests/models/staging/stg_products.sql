select
    product_id,
    name as product,
    coalesce(category, 'not sorted yet') as category,
    list_price
from {{ source('shop', 'products') }}
