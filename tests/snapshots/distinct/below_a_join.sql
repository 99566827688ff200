-- DISTINCT below another operator is run for the touched rows, before and after.
--   SELECT c.name
--   FROM shop.customers AS c
--   JOIN (SELECT DISTINCT customer_id FROM shop.orders) AS buyers ON buyers.customer_id = c.customer_id
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
  SELECT DISTINCT
    `orders_2`.`customer_id` AS `customer_id`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders_2`
), `distinct` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */ DISTINCT
    `orders`.`customer_id` AS `customer_id`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
  LEFT SEMI JOIN `touched_keys`
    ON `orders`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`customer_id`
), `distinct_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */ DISTINCT
    `orders_3`.`customer_id` AS `customer_id`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_3`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `orders_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`customer_id`
), `union_all` AS (
  SELECT
    `distinct`.`customer_id` AS `customer_id`,
    -1 AS `__trickle_weight`
  FROM `distinct`
  UNION ALL
  SELECT
    `distinct_2`.`customer_id` AS `customer_id`,
    1 AS `__trickle_weight`
  FROM `distinct_2`
)
SELECT
  `c`.`name` AS `name`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
JOIN `shop`.`customers` VERSION AS OF 4 AS `c`
  ON `union_all`.`customer_id` = `c`.`customer_id`
