-- The shop as it opens: about 200 000 rows. $names are filled in by shopkeeper/days.py.

-- schema
create schema if not exists shop;

-- customers
create or replace table shop.customers using delta as
select
    id as customer_id,
    concat('Customer ', id) as name,
    element_at(array('Germany', 'France', 'Italy', 'Spain', 'Poland'), 1 + dice('country', id, 5)) as country,
    case when dice('told city', id, 10) > 0 then concat('City ', dice('city', id, 8)) end as city,
    date_add(date '2024-01-01', dice('joined', id, 700)) as joined_on
from range(1, $customers + 1);

-- products
create or replace table shop.products using delta as
select
    id as product_id,
    concat('Product ', id) as name,
    case
        when dice('sorted', id, 20) > 0
        then element_at(array('Books', 'Garden', 'Kitchen', 'Music', 'Sports', 'Toys'), 1 + dice('category', id, 6))
    end as category,
    cast(1 + dice('price', id, 9900) / 100 as decimal(10, 2)) as list_price
from range(1, $products + 1);

-- orders
create or replace table shop.orders using delta as
select
    id as order_id,
    case when dice('guest', id, 20) > 0 then 1 + dice('customer', id, $customers) end as customer_id,
    timestamp '2026-03-01 20:00:00' - make_dt_interval(dice('day', id, 60), dice('hour', id, 12), dice('minute', id, 60))
        as ordered_at,
    if(dice('cancelled', id, 25) = 0, 'cancelled', 'placed') as status
from range(1, $orders + 1);

-- order lines
create or replace table shop.order_lines using delta as
select
    id div 2 + 1 as order_id,
    cast(1 + id % 2 as int) as line_number,
    products.product_id,
    1 + dice('quantity', id, 5) as quantity,
    products.list_price as unit_price,
    case when dice('discounted', id, 5) = 0 then cast(dice('discount', id, 30) / 100 as decimal(3, 2)) end as discount
from range(0, $lines) as numbers
join shop.products as products
    on products.product_id = 1 + dice('product', id, $products);

-- returns
create or replace table shop.returns using delta as
select
    id as return_id,
    1 + dice('returned order', id, $orders) as order_id,
    1 + dice('returned line', id, 2) as line_number,
    case dice('reason', id, 4) when 0 then 'broken' when 1 then 'too late' when 2 then 'not as shown' end as reason,
    cast(dice('refund', id, 60) * 0.5 as decimal(10, 2)) as refund,
    timestamp '2026-03-01 21:00:00' - make_dt_interval(dice('return day', id, 30)) as returned_at
from range(1, $returns + 1)
