-- Reading a stream table: its storage's change feed, weights multiplied by the stored count.
--   SELECT order_id, amount FROM shop.paid_orders
-- shop.paid_orders gained and lost rows
SELECT
  `paid_orders`.`order_id` AS `order_id`,
  `paid_orders`.`amount` AS `amount`,
  `paid_orders`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    `order_id`,
    `customer_id`,
    `status`,
    `amount`,
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END * `__trickle_count` AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`paid_orders__trickle`', 6, 7)
  WHERE
    `__trickle_count` <> 0
) AS `paid_orders`
