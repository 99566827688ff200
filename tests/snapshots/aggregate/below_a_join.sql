-- A grouping below another operator recomputes the touched groups, before and after.
--   SELECT c.name, t.total
--   FROM shop.customers AS c
--   JOIN (SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id) AS t
--     ON t.customer_id = c.customer_id
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
  SELECT DISTINCT
    `orders_2`.`customer_id` AS `orders_customer_id_2`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders_2`
), `aggregate` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `orders`.`customer_id` AS `orders_customer_id_2`,
    SUM(`orders`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
  LEFT SEMI JOIN `touched_keys`
    ON `orders`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`orders_customer_id_2`
  GROUP BY
    1
), `aggregate_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `orders_3`.`customer_id` AS `orders_customer_id_2`,
    SUM(`orders_3`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_3`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `orders_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`orders_customer_id_2`
  GROUP BY
    1
), `union_all` AS (
  SELECT
    `aggregate`.`orders_customer_id_2` AS `orders_customer_id_2`,
    `aggregate`.`sum` AS `sum`,
    -1 AS `__trickle_weight`
  FROM `aggregate`
  UNION ALL
  SELECT
    `aggregate_2`.`orders_customer_id_2` AS `orders_customer_id_2`,
    `aggregate_2`.`sum` AS `sum`,
    1 AS `__trickle_weight`
  FROM `aggregate_2`
)
SELECT /*+ BROADCAST(`union_all`) */
  `c`.`name` AS `name`,
  `union_all`.`sum` AS `total`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
JOIN `shop`.`customers` VERSION AS OF 4 AS `c`
  ON `union_all`.`orders_customer_id_2` = `c`.`customer_id`
