-- Both sides changed: two terms, the first reads the right side after, the second the left side before.
--   SELECT o.order_id, c.name
--   FROM shop.orders AS o
--   JOIN shop.customers AS c ON c.customer_id = o.customer_id
-- shop.orders gained and lost rows
-- shop.customers only gained rows
WITH `union_all` AS (
  SELECT /*+ BROADCAST(`o`) */
    `o`.`order_id` AS `o_order_id`,
    `o`.`customer_id` AS `o_customer_id`,
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`,
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
  JOIN `shop`.`customers` VERSION AS OF 6 AS `c`
    ON `c`.`customer_id` = `o`.`customer_id`
  UNION ALL
  SELECT /*+ BROADCAST(`c_2`) */
    `o_2`.`order_id` AS `o_order_id`,
    `o_2`.`customer_id` AS `o_customer_id`,
    `c_2`.`customer_id` AS `c_customer_id`,
    `c_2`.`name` AS `c_name`,
    `c_2`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `customer_id`,
      `name`,
      `country`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`customers`', 5, 6)
  ) AS `c_2`
  JOIN `shop`.`orders` VERSION AS OF 7 AS `o_2`
    ON `c_2`.`customer_id` = `o_2`.`customer_id`
)
SELECT
  `union_all`.`o_order_id` AS `order_id`,
  `union_all`.`c_name` AS `name`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
