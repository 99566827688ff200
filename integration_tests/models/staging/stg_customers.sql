select
    customer_id,
    name,
    country,
    city,
    joined_on
from {{ source('shop', 'customers') }}
