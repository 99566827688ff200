-- Orders are cancelled, lines taken back, and customers move: rows change their group, and rows go.

-- cancelled orders
update shop.orders
set status = 'cancelled'
where status = 'placed' and dice('cancelled on $day', order_id, 300) = 0;

-- lines taken back
delete from shop.order_lines
where dice('taken back on $day', 2 * order_id + line_number, 500) = 0;

-- customers who moved
update shop.customers
set city = concat('City ', dice('city on $day', customer_id, 8)), country = 'France'
where dice('moved on $day', customer_id, 400) = 0;

-- accounts that were closed
delete from shop.customers
where dice('closed on $day', customer_id, 1000) = 0
