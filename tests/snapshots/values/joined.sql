-- Constant rows never change: they are printed where the change meets them.
--   SELECT o.order_id, o.amount * r.rate AS euros FROM shop.orders AS o CROSS JOIN (SELECT 0.9 AS rate) AS r
-- shop.orders gained and lost rows
WITH `values` AS (
  SELECT
    1 AS `one_row`
)
SELECT /*+ BROADCAST(`o`) */
  `o`.`order_id` AS `order_id`,
  `o`.`amount` * 0.9 AS `euros`,
  `o`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    `order_id`,
    `customer_id`,
    `status`,
    `amount`,
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
) AS `o`
CROSS JOIN `values`
