-- An ordinary day: customers, orders, lines and returns come in, and nothing else happens.

-- new customers
insert into shop.customers
select
    id as customer_id,
    concat('Customer ', id) as name,
    element_at(array('Germany', 'France', 'Italy', 'Spain', 'Poland'), 1 + dice('country', id, 5)) as country,
    case when dice('told city', id, 10) > 0 then concat('City ', dice('city', id, 8)) end as city,
    $today as joined_on
from range($new_customer, $new_customer + $new_customers) as numbers
where not exists (select 1 from shop.customers where customer_id = id);

-- orders
insert into shop.orders
select
    id as order_id,
    case when dice('guest', id, 20) > 0 then 1 + dice('customer', id, $customers) end as customer_id,
    cast($today as timestamp) + make_dt_interval(0, 8 + dice('hour', id, 12), dice('minute', id, 60)) as ordered_at,
    'placed' as status
from range($new_order, $new_order + $new_orders) as numbers
where not exists (select 1 from shop.orders where order_id = id);

-- lines
insert into shop.order_lines
select
    id div 2 as order_id,
    cast(1 + id % 2 as int) as line_number,
    products.product_id,
    1 + dice('quantity', id, 5) as quantity,
    products.list_price as unit_price,
    case when dice('discounted', id, 5) = 0 then cast(dice('discount', id, 30) / 100 as decimal(3, 2)) end as discount
from range(2 * $new_order, 2 * ($new_order + $new_orders)) as numbers
join shop.products as products
    on products.product_id = 1 + dice('product', id, $products)
where not exists (select 1 from shop.order_lines where order_id = id div 2);

-- returns
insert into shop.returns
select
    id as return_id,
    1 + dice('returned order', id, $orders) as order_id,
    1 + dice('returned line', id, 2) as line_number,
    case dice('reason', id, 4) when 0 then 'broken' when 1 then 'too late' when 2 then 'not as shown' end as reason,
    cast(dice('refund', id, 60) * 0.5 as decimal(10, 2)) as refund,
    cast($today as timestamp) + make_dt_interval(0, 21) as returned_at
from range($new_return, $new_return + $new_returns) as numbers
where not exists (select 1 from shop.returns where return_id = id)
