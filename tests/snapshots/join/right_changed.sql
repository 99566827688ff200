-- Only the right side changed: one term, the left side against the right side's change.
--   SELECT o.order_id, c.name
--   FROM shop.orders AS o
--   JOIN shop.customers AS c ON c.customer_id = o.customer_id
-- shop.customers gained and lost rows
SELECT /*+ BROADCAST(`c`) */
  `o`.`order_id` AS `order_id`,
  `c`.`name` AS `name`,
  `c`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    `customer_id`,
    `name`,
    `country`,
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`customers`', 5, 6)
) AS `c`
JOIN `shop`.`orders` VERSION AS OF 7 AS `o`
  ON `c`.`customer_id` = `o`.`customer_id`
