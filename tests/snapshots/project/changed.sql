-- The change of a projection is the projection of the change; weights pass through.
--   SELECT order_id, UPPER(status) AS status, amount * 2 AS doubled FROM shop.orders
-- shop.orders gained and lost rows
SELECT
  `orders`.`order_id` AS `order_id`,
  UPPER(`orders`.`status`) AS `status`,
  `orders`.`amount` * 2 AS `doubled`,
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
