-- A FULL JOIN of which both sides changed: as a LEFT JOIN, and the unmatched right rows that come and go.
--   SELECT n.order_id, n.amount, p.amount AS before
--   FROM shop.orders AS n
--   FULL JOIN shop.old_orders AS p ON p.order_id = n.order_id
-- shop.orders gained and lost rows
-- shop.old_orders gained and lost rows
WITH `feed` AS (
  SELECT
    `n`.`order_id` AS `n_order_id`,
    `n`.`amount` AS `n_amount`,
    `n`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `n`
), `scan` AS (
  SELECT
    `p`.`order_id` AS `p_order_id`,
    `p`.`amount` AS `p_amount`
  FROM `shop`.`old_orders` VERSION AS OF 5 AS `p`
), `scan_2` AS (
  SELECT
    `n_3`.`order_id` AS `n_order_id`,
    `n_3`.`amount` AS `n_amount`
  FROM `shop`.`orders` VERSION AS OF 7 AS `n_3`
), `touched_keys` AS (
  SELECT DISTINCT
    `p_3`.`order_id` AS `p_order_id`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`old_orders`', 4, 5)
  ) AS `p_3`
), `semi_join` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `scan_2`.`n_order_id` AS `n_order_id`,
    `scan_2`.`n_amount` AS `n_amount`
  FROM `scan_2`
  LEFT SEMI JOIN `touched_keys`
    ON `touched_keys`.`p_order_id` = `scan_2`.`n_order_id`
), `scan_4` AS (
  SELECT
    `p_4`.`order_id` AS `p_order_id`,
    `p_4`.`amount` AS `p_amount`
  FROM `shop`.`old_orders` VERSION AS OF 3 AS `p_4`
), `feed_2` AS (
  SELECT
    `p_5`.`order_id` AS `p_order_id`,
    `p_5`.`amount` AS `p_amount`,
    `p_5`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`old_orders`', 4, 5)
  ) AS `p_5`
), `touched_keys_2` AS (
  SELECT DISTINCT
    `feed_2_2`.`p_order_id` AS `match_1`
  FROM `feed_2` AS `feed_2_2`
), `restrict` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `n_4`.`order_id` AS `n_order_id`,
    `n_4`.`amount` AS `n_amount`
  FROM `shop`.`orders` VERSION AS OF 9 AS `n_4`
  LEFT SEMI JOIN `touched_keys_2`
    ON `n_4`.`order_id` IS NOT DISTINCT FROM `touched_keys_2`.`match_1`
), `touched_keys_3` AS (
  SELECT DISTINCT
    `feed_3`.`n_order_id` AS `n_order_id`
  FROM `feed` AS `feed_3`
), `semi_join_3` AS (
  SELECT /*+ BROADCAST(`touched_keys_3`) */
    `scan_4_2`.`p_order_id` AS `p_order_id`,
    `scan_4_2`.`p_amount` AS `p_amount`
  FROM `scan_4` AS `scan_4_2`
  LEFT SEMI JOIN `touched_keys_3`
    ON `scan_4_2`.`p_order_id` = `touched_keys_3`.`n_order_id`
), `touched_keys_4` AS (
  SELECT DISTINCT
    `semi_join_3_2`.`p_order_id` AS `match_1`
  FROM `semi_join_3` AS `semi_join_3_2`
), `restrict_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_4`) */
    `scan_2_2`.`n_order_id` AS `n_order_id`,
    `scan_2_2`.`n_amount` AS `n_amount`
  FROM `scan_2` AS `scan_2_2`
  LEFT SEMI JOIN `touched_keys_4`
    ON `scan_2_2`.`n_order_id` IS NOT DISTINCT FROM `touched_keys_4`.`match_1`
), `touched_keys_5` AS (
  SELECT DISTINCT
    `semi_join_3_4`.`p_order_id` AS `match_1`
  FROM `semi_join_3` AS `semi_join_3_4`
), `restrict_3` AS (
  SELECT /*+ BROADCAST(`touched_keys_5`) */
    `n_5`.`order_id` AS `n_order_id`,
    `n_5`.`amount` AS `n_amount`
  FROM `shop`.`orders` VERSION AS OF 9 AS `n_5`
  LEFT SEMI JOIN `touched_keys_5`
    ON `n_5`.`order_id` IS NOT DISTINCT FROM `touched_keys_5`.`match_1`
), `union_all` AS (
  SELECT /*+ BROADCAST(`restrict`) */
    `feed_2`.`p_order_id` AS `p_order_id`,
    `feed_2`.`p_amount` AS `p_amount`,
    `feed_2`.`__trickle_weight` AS `__trickle_weight`
  FROM `feed_2`
  LEFT ANTI JOIN `restrict`
    ON `feed_2`.`p_order_id` = `restrict`.`n_order_id`
  UNION ALL
  SELECT /*+ BROADCAST(`restrict_2`) */
    `semi_join_3`.`p_order_id` AS `p_order_id`,
    `semi_join_3`.`p_amount` AS `p_amount`,
    -1 AS `__trickle_weight`
  FROM `semi_join_3`
  LEFT ANTI JOIN `restrict_2`
    ON `semi_join_3`.`p_order_id` = `restrict_2`.`n_order_id`
  UNION ALL
  SELECT /*+ BROADCAST(`restrict_3`) */
    `semi_join_3_3`.`p_order_id` AS `p_order_id`,
    `semi_join_3_3`.`p_amount` AS `p_amount`,
    1 AS `__trickle_weight`
  FROM `semi_join_3` AS `semi_join_3_3`
  LEFT ANTI JOIN `restrict_3`
    ON `semi_join_3_3`.`p_order_id` = `restrict_3`.`n_order_id`
), `union_all_2` AS (
  SELECT
    `feed`.`n_order_id` AS `n_order_id`,
    `feed`.`n_amount` AS `n_amount`,
    `scan`.`p_order_id` AS `p_order_id`,
    `scan`.`p_amount` AS `p_amount`,
    `feed`.`__trickle_weight` AS `__trickle_weight`
  FROM `feed`
  LEFT JOIN `scan`
    ON `scan`.`p_order_id` = `feed`.`n_order_id`
  UNION ALL
  SELECT /*+ BROADCAST(`p_2`) */
    `n_2`.`order_id` AS `n_order_id`,
    `n_2`.`amount` AS `n_amount`,
    `p_2`.`order_id` AS `p_order_id`,
    `p_2`.`amount` AS `p_amount`,
    `p_2`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`old_orders`', 4, 5)
  ) AS `p_2`
  JOIN `shop`.`orders` VERSION AS OF 7 AS `n_2`
    ON `p_2`.`order_id` = `n_2`.`order_id`
  UNION ALL
  SELECT
    `semi_join`.`n_order_id` AS `n_order_id`,
    `semi_join`.`n_amount` AS `n_amount`,
    CAST(NULL AS BIGINT) AS `p_order_id`,
    CAST(NULL AS DECIMAL(10, 2)) AS `p_amount`,
    1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT ANTI JOIN `scan` AS `scan_3`
    ON `scan_3`.`p_order_id` = `semi_join`.`n_order_id`
  UNION ALL
  SELECT
    `semi_join_2`.`n_order_id` AS `n_order_id`,
    `semi_join_2`.`n_amount` AS `n_amount`,
    CAST(NULL AS BIGINT) AS `p_order_id`,
    CAST(NULL AS DECIMAL(10, 2)) AS `p_amount`,
    -1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_2`
  LEFT ANTI JOIN `scan_4`
    ON `scan_4`.`p_order_id` = `semi_join_2`.`n_order_id`
  UNION ALL
  SELECT
    CAST(NULL AS BIGINT) AS `n_order_id`,
    CAST(NULL AS DECIMAL(10, 2)) AS `n_amount`,
    `union_all`.`p_order_id` AS `p_order_id`,
    `union_all`.`p_amount` AS `p_amount`,
    `union_all`.`__trickle_weight` AS `__trickle_weight`
  FROM `union_all`
)
SELECT
  `union_all_2`.`n_order_id` AS `order_id`,
  `union_all_2`.`n_amount` AS `amount`,
  `union_all_2`.`p_amount` AS `before`,
  `union_all_2`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all_2`
