select
    return_id,
    order_id,
    line_number,
    reason,
    refund,
    returned_at
from {{ source('shop', 'returns') }}
