-- A small result without keys: written whole from the stored rows and the change.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- shop.orders gained and lost rows
-- overwrite: apply the change by overwrite
WITH `union_all` AS (
  SELECT
    `stored`.`order_id` AS `order_id`,
    `stored`.`amount` AS `amount`,
    `stored`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `amount`,
      `__trickle_count` AS `__trickle_weight`
    FROM `shop`.`example__trickle`
    WHERE
      `__trickle_count` <> 0
  ) AS `stored`
  UNION ALL
  SELECT
    `orders`.`order_id` AS `order_id`,
    `orders`.`amount` AS `amount`,
    `orders`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders`
  WHERE
    `orders`.`status` = 'paid'
)
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `order_id`,
  `amount`,
  CASE
    WHEN `__trickle_weight` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE CAST(`__trickle_weight` AS BIGINT)
  END AS `__trickle_count`
FROM (
  SELECT
    `union_all`.`order_id` AS `order_id`,
    `union_all`.`amount` AS `amount`,
    SUM(`union_all`.`__trickle_weight`) AS `__trickle_weight`
  FROM `union_all`
  GROUP BY
    1,
    2
  HAVING
    SUM(`union_all`.`__trickle_weight`) <> 0
) AS `merged`;
