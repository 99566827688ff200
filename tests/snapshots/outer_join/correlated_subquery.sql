-- A correlated scalar subquery is a LEFT JOIN with its groups: touched groups before and after, and empty ones.
--   SELECT c.name, (SELECT SUM(o.amount) FROM shop.orders AS o WHERE o.customer_id = c.customer_id) AS total
--   FROM shop.customers AS c
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
  SELECT DISTINCT
    `o_2`.`customer_id` AS `belongs_to`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `o_2`
), `aggregate` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `o`.`customer_id` AS `belongs_to`,
    SUM(`o`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o`
  LEFT SEMI JOIN `touched_keys`
    ON `o`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`belongs_to`
  GROUP BY
    1
), `aggregate_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `o_3`.`customer_id` AS `belongs_to`,
    SUM(`o_3`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 9 AS `o_3`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `o_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`belongs_to`
  GROUP BY
    1
), `union_all` AS (
  SELECT
    `aggregate`.`belongs_to` AS `belongs_to`,
    `aggregate`.`sum` AS `sum`,
    -1 AS `__trickle_weight`
  FROM `aggregate`
  UNION ALL
  SELECT
    `aggregate_2`.`belongs_to` AS `belongs_to`,
    `aggregate_2`.`sum` AS `sum`,
    1 AS `__trickle_weight`
  FROM `aggregate_2`
), `scan` AS (
  SELECT
    `c_2`.`customer_id` AS `c_customer_id`,
    `c_2`.`name` AS `c_name`
  FROM `shop`.`customers` VERSION AS OF 4 AS `c_2`
), `touched_keys_3` AS (
  SELECT DISTINCT
    `union_all_2`.`belongs_to` AS `belongs_to`
  FROM `union_all` AS `union_all_2`
), `semi_join` AS (
  SELECT /*+ BROADCAST(`touched_keys_3`) */
    `scan`.`c_customer_id` AS `c_customer_id`,
    `scan`.`c_name` AS `c_name`
  FROM `scan`
  LEFT SEMI JOIN `touched_keys_3`
    ON `touched_keys_3`.`belongs_to` = `scan`.`c_customer_id`
), `touched_keys_4` AS (
  SELECT DISTINCT
    `semi_join_2`.`c_customer_id` AS `match_1`
  FROM `semi_join` AS `semi_join_2`
), `aggregate_3` AS (
  SELECT /*+ BROADCAST(`touched_keys_4`) */
    `o_4`.`customer_id` AS `belongs_to`,
    SUM(`o_4`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 9 AS `o_4`
  LEFT SEMI JOIN `touched_keys_4`
    ON `o_4`.`customer_id` IS NOT DISTINCT FROM `touched_keys_4`.`match_1`
  GROUP BY
    1
), `touched_keys_5` AS (
  SELECT DISTINCT
    `semi_join_4`.`c_customer_id` AS `match_1`
  FROM `semi_join` AS `semi_join_4`
), `aggregate_4` AS (
  SELECT /*+ BROADCAST(`touched_keys_5`) */
    `o_5`.`customer_id` AS `belongs_to`,
    SUM(`o_5`.`amount`) AS `sum`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o_5`
  LEFT SEMI JOIN `touched_keys_5`
    ON `o_5`.`customer_id` IS NOT DISTINCT FROM `touched_keys_5`.`match_1`
  GROUP BY
    1
), `union_all_3` AS (
  SELECT /*+ BROADCAST(`union_all`) */
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`,
    `union_all`.`belongs_to` AS `belongs_to`,
    `union_all`.`sum` AS `sum`,
    `union_all`.`__trickle_weight` AS `__trickle_weight`
  FROM `union_all`
  JOIN `shop`.`customers` VERSION AS OF 4 AS `c`
    ON `union_all`.`belongs_to` = `c`.`customer_id`
  UNION ALL
  SELECT /*+ BROADCAST(`aggregate_3`) */
    `semi_join`.`c_customer_id` AS `c_customer_id`,
    `semi_join`.`c_name` AS `c_name`,
    CAST(NULL AS BIGINT) AS `belongs_to`,
    CAST(NULL AS DECIMAL(20, 2)) AS `sum`,
    1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT ANTI JOIN `aggregate_3`
    ON `aggregate_3`.`belongs_to` = `semi_join`.`c_customer_id`
  UNION ALL
  SELECT /*+ BROADCAST(`aggregate_4`) */
    `semi_join_3`.`c_customer_id` AS `c_customer_id`,
    `semi_join_3`.`c_name` AS `c_name`,
    CAST(NULL AS BIGINT) AS `belongs_to`,
    CAST(NULL AS DECIMAL(20, 2)) AS `sum`,
    -1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_3`
  LEFT ANTI JOIN `aggregate_4`
    ON `aggregate_4`.`belongs_to` = `semi_join_3`.`c_customer_id`
)
SELECT
  `union_all_3`.`c_name` AS `name`,
  `union_all_3`.`sum` AS `total`,
  `union_all_3`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all_3`
