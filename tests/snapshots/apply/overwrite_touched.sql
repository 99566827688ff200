-- Without states: touched groups are read again and stand beside the stored ones.
--   SELECT customer_id, RANK() OVER (ORDER BY COUNT(DISTINCT status)) AS place
--   FROM shop.orders
--   GROUP BY customer_id
-- shop.orders gained and lost rows
-- overwrite: apply the change by overwrite_touched
WITH `stored_recursion` AS (
  SELECT
    `kept`.`__trickle_value_1` AS `__trickle_value_1`,
    `kept`.`__trickle_key_1` AS `__trickle_key_1`,
    `kept`.`__trickle_rows` AS `__trickle_rows`
  FROM (
    SELECT
      `__trickle_value_1`,
      `__trickle_key_1`,
      `__trickle_rows`
    FROM `shop`.`example__trickle`
  ) AS `kept`
), `touched_keys` AS (
  SELECT DISTINCT
    `orders`.`customer_id` AS `__trickle_touched_1`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders`
), `aggregate` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `orders_2`.`customer_id` AS `orders_customer_id_2`,
    COUNT(*) AS `__trickle_rows`,
    COUNT(DISTINCT `orders_2`.`status`) AS `count`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_2`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `orders_2`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`__trickle_touched_1`
  GROUP BY
    1
), `union_all` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `stored_recursion`.`__trickle_value_1` AS `__trickle_value_1`,
    `stored_recursion`.`__trickle_key_1` AS `__trickle_key_1`,
    `stored_recursion`.`__trickle_rows` AS `__trickle_rows`
  FROM `stored_recursion`
  LEFT ANTI JOIN `touched_keys`
    ON `stored_recursion`.`__trickle_key_1` IS NOT DISTINCT FROM `touched_keys`.`__trickle_touched_1`
  UNION ALL
  SELECT
    `aggregate`.`count` AS `__trickle_value_1`,
    `aggregate`.`orders_customer_id_2` AS `__trickle_key_1`,
    `aggregate`.`__trickle_rows` AS `__trickle_rows`
  FROM `aggregate`
), `project` AS (
  SELECT
    `union_all`.`__trickle_key_1` AS `orders_customer_id_2`,
    `union_all`.`__trickle_value_1` AS `count`,
    `union_all`.`__trickle_value_1` AS `__trickle_value_1`,
    `union_all`.`__trickle_key_1` AS `__trickle_key_1`,
    `union_all`.`__trickle_rows` AS `__trickle_rows`
  FROM `union_all`
), `window` AS (
  SELECT
    `project`.`orders_customer_id_2` AS `orders_customer_id_2`,
    `project`.`count` AS `count`,
    `project`.`__trickle_value_1` AS `__trickle_value_1`,
    `project`.`__trickle_key_1` AS `__trickle_key_1`,
    `project`.`__trickle_rows` AS `__trickle_rows`,
    RANK() OVER (ORDER BY `project`.`count`) AS `rank`
  FROM `project`
)
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `window`.`orders_customer_id_2` AS `customer_id`,
  `window`.`rank` AS `place`,
  CAST(1 AS BIGINT) AS `__trickle_count`,
  `window`.`__trickle_value_1` AS `__trickle_value_1`,
  `window`.`__trickle_key_1` AS `__trickle_key_1`,
  `window`.`__trickle_rows` AS `__trickle_rows`
FROM `window`;
