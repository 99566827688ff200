-- Only the left side changed: one term, its change against the right side as it is.
--   SELECT o.order_id, c.name
--   FROM shop.orders AS o
--   JOIN shop.customers AS c ON c.customer_id = o.customer_id
-- shop.orders gained and lost rows
SELECT /*+ BROADCAST(`o`) */
  `o`.`order_id` AS `order_id`,
  `c`.`name` AS `name`,
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
JOIN `shop`.`customers` VERSION AS OF 4 AS `c`
  ON `c`.`customer_id` = `o`.`customer_id`
