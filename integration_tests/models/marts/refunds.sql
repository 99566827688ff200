-- Filter and projection of a table that only grows: maintained by appending.
select
    order_id,
    coalesce(reason, 'no reason given') as reason,
    refund,
    cast(returned_at as date) as refunded_on
from {{ ref('stg_returns') }}
where refund > 0
