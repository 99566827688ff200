-- Only the right side changed: the left rows that its change matches, with a match before and with one after.
--   SELECT c.name
--   FROM shop.customers AS c
--   WHERE EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id AND o.status = 'paid')
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
  WHERE
    `o`.`status` = 'paid'
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
), `filter` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `o_2`.`customer_id` AS `o_customer_id`,
    `o_2`.`status` AS `o_status`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o_2`
  LEFT SEMI JOIN `touched_keys_2`
    ON `o_2`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`match_1`
  WHERE
    `o_2`.`status` = 'paid'
), `touched_keys_3` AS (
  SELECT DISTINCT
    `semi_join_4`.`c_customer_id` AS `match_1`
  FROM `semi_join` AS `semi_join_4`
), `filter_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_3`) */
    `o_3`.`customer_id` AS `o_customer_id`,
    `o_3`.`status` AS `o_status`
  FROM `shop`.`orders` VERSION AS OF 9 AS `o_3`
  LEFT SEMI JOIN `touched_keys_3`
    ON `o_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_3`.`match_1`
  WHERE
    `o_3`.`status` = 'paid'
), `union_all` AS (
  SELECT /*+ BROADCAST(`filter`) */
    `semi_join`.`c_customer_id` AS `c_customer_id`,
    `semi_join`.`c_name` AS `c_name`,
    -1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT SEMI JOIN `filter`
    ON `filter`.`o_customer_id` = `semi_join`.`c_customer_id`
  UNION ALL
  SELECT /*+ BROADCAST(`filter_2`) */
    `semi_join_3`.`c_customer_id` AS `c_customer_id`,
    `semi_join_3`.`c_name` AS `c_name`,
    1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_3`
  LEFT SEMI JOIN `filter_2`
    ON `filter_2`.`o_customer_id` = `semi_join_3`.`c_customer_id`
)
SELECT
  `union_all`.`c_name` AS `name`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
