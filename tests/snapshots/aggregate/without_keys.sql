-- A grouping without keys has one row, which stays when the last input row goes.
--   SELECT COUNT(*) AS orders, SUM(amount) AS total FROM shop.orders
-- shop.orders gained and lost rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    SELECT
      SUM(`orders`.`__trickle_weight`) AS `__trickle_rows`,
      SUM(`orders`.`__trickle_weight`) AS `__trickle_count_count`,
      CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT `orders`.`amount` IS NULL
            THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS DECIMAL(20, 2)) AS `__trickle_sum_sum`,
      SUM(
        CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
      ) AS `__trickle_sum_count`
    FROM (
      SELECT
        `order_id`,
        `customer_id`,
        `status`,
        `amount`,
        CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
      FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
    ) AS `orders`
    HAVING
      SUM(`orders`.`__trickle_weight`) <> 0
      OR SUM(`orders`.`__trickle_weight`) <> 0
      OR CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT `orders`.`amount` IS NULL
            THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS DECIMAL(20, 2)) <> 0
      OR SUM(
        CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
      ) <> 0
  ) AS `changes`
) AS `changes`
ON TRUE
WHEN MATCHED THEN UPDATE SET
  `orders` = `target`.`__trickle_count_count` + `changes`.`__trickle_count_count`,
  `total` = CASE
    WHEN `target`.`__trickle_sum_count` + `changes`.`__trickle_sum_count` > 0
    THEN CAST(`target`.`__trickle_sum_sum` + `changes`.`__trickle_sum_sum` AS DECIMAL(20, 2))
    ELSE NULL
  END,
  `__trickle_count` = CAST(1 AS BIGINT),
  `__trickle_rows` = CASE
    WHEN `target`.`__trickle_rows` + `changes`.`__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `target`.`__trickle_rows` + `changes`.`__trickle_rows`
  END,
  `__trickle_count_count` = `target`.`__trickle_count_count` + `changes`.`__trickle_count_count`,
  `__trickle_sum_sum` = `target`.`__trickle_sum_sum` + `changes`.`__trickle_sum_sum`,
  `__trickle_sum_count` = `target`.`__trickle_sum_count` + `changes`.`__trickle_sum_count`
WHEN NOT MATCHED THEN INSERT (
  `orders`,
  `total`,
  `__trickle_count`,
  `__trickle_rows`,
  `__trickle_count_count`,
  `__trickle_sum_sum`,
  `__trickle_sum_count`
) VALUES (
  `changes`.`__trickle_count_count`,
  CASE
    WHEN `changes`.`__trickle_sum_count` > 0
    THEN CAST(`changes`.`__trickle_sum_sum` AS DECIMAL(20, 2))
    ELSE NULL
  END,
  CAST(1 AS BIGINT),
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END,
  `changes`.`__trickle_count_count`,
  `changes`.`__trickle_sum_sum`,
  `changes`.`__trickle_sum_count`
);
