-- The branch that did not change is gone.
--   SELECT order_id, amount FROM shop.orders
--   UNION ALL
--   SELECT order_id, amount FROM shop.old_orders
-- shop.orders gained and lost rows
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
