-- UNION ALL: nothing here has a key, and equal rows are kept as often as they occur.
select
    ordered_on as booked_on,
    'sale' as entry,
    category as subject,
    amount
from {{ ref('sales') }}

union all

select
    refunded_on as booked_on,
    'refund' as entry,
    reason as subject,
    cast(-refund as decimal(12, 2)) as amount
from {{ ref('refunds') }}
