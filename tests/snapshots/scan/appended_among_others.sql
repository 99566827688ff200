-- The same where a file cannot be read by itself: the table's rows that lie in the added files.
--   SELECT order_id, amount FROM shop.orders
-- shop.orders only gained rows
SELECT
  `orders`.`order_id` AS `order_id`,
  `orders`.`amount` AS `amount`,
  `orders`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    `order_id`,
    `customer_id`,
    `status`,
    `amount`,
    1 AS `__trickle_weight`
  FROM `shop`.`orders` VERSION AS OF 9
  WHERE
    `_metadata`.`file_name` IN ('part-7.parquet', 'part-8.parquet')
) AS `orders`
