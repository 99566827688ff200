-- A single row over everything, maintained like any other.
select
    count(*) as entries,
    sum(amount) as balance,
    sum(amount) filter (where entry = 'refund') as refunded,
    avg(amount) as average_entry
from {{ ref('ledger') }}
