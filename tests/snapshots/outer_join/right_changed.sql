-- Only the right side changed: its pairs come and go; left rows that lose or find their match are looked up.
--   SELECT c.name, o.order_id
--   FROM shop.customers AS c
--   LEFT JOIN shop.orders AS o ON o.customer_id = c.customer_id
-- shop.orders gained and lost rows
WITH `scan` AS (
  SELECT
    `c_2`.`customer_id` AS `c_customer_id`,
    `c_2`.`name` AS `c_name`
  FROM `shop`.`customers` VERSION AS OF 4 AS `c_2`
), `touched_keys` AS (
  SELECT DISTINCT
    `o_2`.`customer_id` AS `o_customer_id`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `o_2`
), `semi_join` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `scan`.`c_customer_id` AS `c_customer_id`,
    `scan`.`c_name` AS `c_name`
  FROM `scan`
  LEFT SEMI JOIN `touched_keys`
    ON `touched_keys`.`o_customer_id` = `scan`.`c_customer_id`
), `scan_2` AS (
  SELECT
    `o_3`.`order_id` AS `o_order_id`,
    `o_3`.`customer_id` AS `o_customer_id`
  FROM `shop`.`orders` VERSION AS OF 9 AS `o_3`
), `scan_3` AS (
  SELECT
    `o_4`.`order_id` AS `o_order_id`,
    `o_4`.`customer_id` AS `o_customer_id`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o_4`
), `union_all` AS (
  SELECT /*+ BROADCAST(`o`) */
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`,
    `o`.`order_id` AS `o_order_id`,
    `o`.`customer_id` AS `o_customer_id`,
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
    ON `o`.`customer_id` = `c`.`customer_id`
  UNION ALL
  SELECT
    `semi_join`.`c_customer_id` AS `c_customer_id`,
    `semi_join`.`c_name` AS `c_name`,
    CAST(NULL AS BIGINT) AS `o_order_id`,
    CAST(NULL AS BIGINT) AS `o_customer_id`,
    1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT ANTI JOIN `scan_2`
    ON `scan_2`.`o_customer_id` = `semi_join`.`c_customer_id`
  UNION ALL
  SELECT
    `semi_join_2`.`c_customer_id` AS `c_customer_id`,
    `semi_join_2`.`c_name` AS `c_name`,
    CAST(NULL AS BIGINT) AS `o_order_id`,
    CAST(NULL AS BIGINT) AS `o_customer_id`,
    -1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_2`
  LEFT ANTI JOIN `scan_3`
    ON `scan_3`.`o_customer_id` = `semi_join_2`.`c_customer_id`
)
SELECT
  `union_all`.`c_name` AS `name`,
  `union_all`.`o_order_id` AS `order_id`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
