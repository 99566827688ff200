-- Each touched key beside its group's new row, or beside NULLs when the group is gone.
--   SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
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
    MAX(`orders_2`.`order_id`) AS `__trickle_max_extreme`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_2`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `orders_2`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`__trickle_touched_1`
  GROUP BY
    1
), `project` AS (
  SELECT
    `aggregate`.`orders_customer_id_2` AS `customer_id`,
    `aggregate`.`__trickle_max_extreme` AS `latest`,
    CAST(1 AS BIGINT) AS `__trickle_count`,
    `aggregate`.`__trickle_rows` AS `__trickle_rows`,
    `aggregate`.`__trickle_max_extreme` AS `__trickle_max_extreme`
  FROM `aggregate`
)
SELECT /*+ BROADCAST(`project`) */
  `touched_keys`.`__trickle_touched_1` AS `__trickle_touched_1`,
  `project`.`customer_id` AS `customer_id`,
  `project`.`latest` AS `latest`,
  `project`.`__trickle_count` AS `__trickle_count`,
  `project`.`__trickle_rows` AS `__trickle_rows`,
  `project`.`__trickle_max_extreme` AS `__trickle_max_extreme`
FROM `touched_keys`
LEFT JOIN `project`
  ON `touched_keys`.`__trickle_touched_1` IS NOT DISTINCT FROM `project`.`customer_id`
