-- Orders are cancelled, lines taken back, and customers move: rows change their group, and rows go.
-- Spark allows no SQL function in UPDATE and DELETE, so dice() is written out.

-- cancelled orders
update shop.orders
set status = 'cancelled'
where status = 'placed' and pmod(xxhash64($seed, 'cancelled on $day', order_id), 300) = 0;

-- lines taken back
delete from shop.order_lines
where pmod(xxhash64($seed, 'taken back on $day', order_id, line_number), 500) = 0;

-- customers who moved
update shop.customers
set country = 'France', city = concat('City ', pmod(xxhash64($seed, 'city on $day', customer_id), 8))
where pmod(xxhash64($seed, 'moved on $day', customer_id), 400) = 0;

-- closed accounts
delete from shop.customers
where pmod(xxhash64($seed, 'closed on $day', customer_id), 1000) = 0
