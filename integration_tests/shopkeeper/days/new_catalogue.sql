-- The catalogue is gone through. Orders come in on the same day, so both sides of a join change at once.

-- categories
update shop.products
set category = element_at(
    array('Books', 'Garden', 'Kitchen', 'Music', 'Sports', 'Toys'), 1 + dice('category on $day', product_id, 6)
)
where dice('sorted on $day', product_id, 100) = 0;

-- delisted products
delete from shop.products
where dice('off the list on $day', product_id, 500) = 0;

-- quantities
update shop.order_lines
set quantity = 1 + dice('quantity on $day', 2 * order_id + line_number, 9)
where dice('corrected on $day', 2 * order_id + line_number, 400) = 0
