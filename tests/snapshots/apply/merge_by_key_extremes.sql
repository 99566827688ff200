-- MIN and MAX while rows only come: the stored extreme can only move outwards.
--   SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id
-- shop.orders only gained rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    SELECT
      `orders`.`customer_id` AS `orders_customer_id_2`,
      SUM(`orders`.`__trickle_weight`) AS `__trickle_rows`,
      MAX(`orders`.`order_id`) AS `__trickle_max_extreme`
    FROM (
      SELECT
        `order_id`,
        `customer_id`,
        `status`,
        `amount`,
        CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
      FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
    ) AS `orders`
    GROUP BY
      1
  ) AS `changes`
) AS `changes`
ON `target`.`customer_id` IS NOT DISTINCT FROM `changes`.`orders_customer_id_2`
WHEN MATCHED AND `target`.`__trickle_rows` + `changes`.`__trickle_rows` = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `latest` = GREATEST(`target`.`__trickle_max_extreme`, `changes`.`__trickle_max_extreme`),
  `__trickle_count` = CAST(1 AS BIGINT),
  `__trickle_rows` = CASE
    WHEN `target`.`__trickle_rows` + `changes`.`__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `target`.`__trickle_rows` + `changes`.`__trickle_rows`
  END,
  `__trickle_max_extreme` = GREATEST(`target`.`__trickle_max_extreme`, `changes`.`__trickle_max_extreme`)
WHEN NOT MATCHED THEN INSERT (
  `customer_id`,
  `latest`,
  `__trickle_count`,
  `__trickle_rows`,
  `__trickle_max_extreme`
) VALUES (
  `changes`.`orders_customer_id_2`,
  `changes`.`__trickle_max_extreme`,
  CAST(1 AS BIGINT),
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END,
  `changes`.`__trickle_max_extreme`
);
