-- The change of a table that was only appended to: the added rows, each with weight 1.
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
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
) AS `orders`
