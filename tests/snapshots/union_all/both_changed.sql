-- The change of a union is the union of the changes.
--   SELECT order_id, amount FROM shop.orders
--   UNION ALL
--   SELECT order_id, amount FROM shop.old_orders
-- shop.orders gained and lost rows
-- shop.old_orders only gained rows
WITH `union_all` AS (
  SELECT
    `orders`.`order_id` AS `order_id_3`,
    `orders`.`amount` AS `amount_3`,
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
  UNION ALL
  SELECT
    `old_orders`.`order_id` AS `order_id_3`,
    `old_orders`.`amount` AS `amount_3`,
    `old_orders`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`old_orders`', 4, 5)
  ) AS `old_orders`
)
SELECT
  `union_all`.`order_id_3` AS `order_id`,
  `union_all`.`amount_3` AS `amount`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
