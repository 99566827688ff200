-- Three tables, one changed: one term is left of three.
--   SELECT o.order_id, c.name, p.amount AS before
--   FROM shop.orders AS o
--   JOIN shop.customers AS c ON c.customer_id = o.customer_id
--   JOIN shop.old_orders AS p ON p.order_id = o.order_id
-- shop.customers gained and lost rows
WITH `join` AS (
  SELECT /*+ BROADCAST(`c`) */
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`,
    `o`.`order_id` AS `o_order_id`,
    `o`.`customer_id` AS `o_customer_id`,
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
)
SELECT /*+ BROADCAST(`join`) */
  `join`.`o_order_id` AS `order_id`,
  `join`.`c_name` AS `name`,
  `p`.`amount` AS `before`,
  `join`.`__trickle_weight` AS `__trickle_weight`
FROM `join`
JOIN `shop`.`old_orders` VERSION AS OF 3 AS `p`
  ON `p`.`order_id` = `join`.`o_order_id`
