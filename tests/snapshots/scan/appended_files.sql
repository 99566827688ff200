-- The same without a change feed: the rows of the files that were added.
--   SELECT order_id, amount FROM shop.orders
-- shop.orders only gained rows
SELECT
  `orders`.`order_id` AS `order_id`,
  `orders`.`amount` AS `amount`,
  `orders`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    CAST(`order_id` AS BIGINT) AS `order_id`,
    CAST(`customer_id` AS BIGINT) AS `customer_id`,
    CAST(`status` AS STRING) AS `status`,
    CAST(`amount` AS DECIMAL(10, 2)) AS `amount`,
    1 AS `__trickle_weight`
  FROM `parquet`.`/shop/orders/part-7.parquet`
  UNION ALL
  SELECT
    CAST(`order_id` AS BIGINT) AS `order_id`,
    CAST(`customer_id` AS BIGINT) AS `customer_id`,
    CAST(`status` AS STRING) AS `status`,
    CAST(`amount` AS DECIMAL(10, 2)) AS `amount`,
    1 AS `__trickle_weight`
  FROM `parquet`.`/shop/orders/part-8.parquet`
) AS `orders`
