-- The catalogue is gone through. Orders come in on the same day, so both sides of a join change at once.
-- Spark allows no SQL function in UPDATE and DELETE, so dice() is written out.

-- categories
update shop.products
set category = if(pmod(xxhash64($seed, 'category on $day', product_id), 2) = 0, 'Garden', 'Antiques')
where pmod(xxhash64($seed, 'sorted on $day', product_id), 100) = 0;

-- delisted products
delete from shop.products
where pmod(xxhash64($seed, 'delisted on $day', product_id), 500) = 0;

-- quantities
update shop.order_lines
set quantity = cast(1 + pmod(xxhash64($seed, 'quantity on $day', order_id, line_number), 9) as int)
where pmod(xxhash64($seed, 'corrected on $day', order_id, line_number), 400) = 0
