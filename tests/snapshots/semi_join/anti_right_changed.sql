-- An anti join: the same left rows, without a match before and without one after.
--   SELECT c.name
--   FROM shop.customers AS c
--   WHERE NOT EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id)
-- shop.orders gained and lost rows
WITH `scan` AS (
  SELECT
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`
  FROM `shop`.`customers` VERSION AS OF 4 AS `c`
), `touched_keys` AS (
  SELECT DISTINCT
    `o`.`customer_id` AS `o_customer_id`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `o`
), `semi_join` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `scan`.`c_customer_id` AS `c_customer_id`,
    `scan`.`c_name` AS `c_name`
  FROM `scan`
  LEFT SEMI JOIN `touched_keys`
    ON `touched_keys`.`o_customer_id` = `scan`.`c_customer_id`
), `touched_keys_2` AS (
  SELECT DISTINCT
    `semi_join_2`.`c_customer_id` AS `match_1`
  FROM `semi_join` AS `semi_join_2`
), `restrict` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `o_2`.`customer_id` AS `o_customer_id`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o_2`
  LEFT SEMI JOIN `touched_keys_2`
    ON `o_2`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`match_1`
), `touched_keys_3` AS (
  SELECT DISTINCT
    `semi_join_4`.`c_customer_id` AS `match_1`
  FROM `semi_join` AS `semi_join_4`
), `restrict_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_3`) */
    `o_3`.`customer_id` AS `o_customer_id`
  FROM `shop`.`orders` VERSION AS OF 9 AS `o_3`
  LEFT SEMI JOIN `touched_keys_3`
    ON `o_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_3`.`match_1`
), `union_all` AS (
  SELECT /*+ BROADCAST(`restrict`) */
    `semi_join`.`c_customer_id` AS `c_customer_id`,
    `semi_join`.`c_name` AS `c_name`,
    -1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT ANTI JOIN `restrict`
    ON `restrict`.`o_customer_id` = `semi_join`.`c_customer_id`
  UNION ALL
  SELECT /*+ BROADCAST(`restrict_2`) */
    `semi_join_3`.`c_customer_id` AS `c_customer_id`,
    `semi_join_3`.`c_name` AS `c_name`,
    1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_3`
  LEFT ANTI JOIN `restrict_2`
    ON `restrict_2`.`o_customer_id` = `semi_join_3`.`c_customer_id`
)
SELECT
  `union_all`.`c_name` AS `name`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
