-- INTERSECT at the top is a grouping of both branches that counts each row's copies on either side.
--   SELECT customer_id FROM shop.orders
--   INTERSECT
--   SELECT customer_id FROM shop.old_orders
-- shop.orders gained and lost rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    SELECT
      `orders`.`customer_id` AS `customer_id_3`,
      SUM(`orders`.`__trickle_weight`) AS `__trickle_rows`,
      CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT 1 IS NULL
            THEN CAST(1 AS BIGINT) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS BIGINT) AS `__trickle_count_sum`,
      SUM(CASE WHEN NOT 1 IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END) AS `__trickle_count_count`,
      CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT 0 IS NULL
            THEN CAST(0 AS BIGINT) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS BIGINT) AS `__trickle_count_2_sum`,
      SUM(CASE WHEN NOT 0 IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END) AS `__trickle_count_2_count`
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
    HAVING
      SUM(`orders`.`__trickle_weight`) <> 0
      OR CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT 1 IS NULL
            THEN CAST(1 AS BIGINT) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS BIGINT) <> 0
      OR SUM(CASE WHEN NOT 1 IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END) <> 0
      OR CAST(COALESCE(
        SUM(
          CASE
            WHEN NOT 0 IS NULL
            THEN CAST(0 AS BIGINT) * CAST(`orders`.`__trickle_weight` AS INT)
            ELSE NULL
          END
        ),
        0
      ) AS BIGINT) <> 0
      OR SUM(CASE WHEN NOT 0 IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END) <> 0
  ) AS `changes`
) AS `changes`
ON `target`.`customer_id` IS NOT DISTINCT FROM `changes`.`customer_id_3`
WHEN MATCHED AND `target`.`__trickle_rows` + `changes`.`__trickle_rows` = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `__trickle_count` = CASE
    WHEN CASE
      WHEN `target`.`__trickle_count_count` + `changes`.`__trickle_count_count` > 0
      THEN CAST(`target`.`__trickle_count_sum` + `changes`.`__trickle_count_sum` AS BIGINT)
      ELSE NULL
    END > 0
    AND CASE
      WHEN `target`.`__trickle_count_2_count` + `changes`.`__trickle_count_2_count` > 0
      THEN CAST(`target`.`__trickle_count_2_sum` + `changes`.`__trickle_count_2_sum` AS BIGINT)
      ELSE NULL
    END > 0
    THEN CAST(1 AS BIGINT)
    ELSE CAST(0 AS BIGINT)
  END,
  `__trickle_rows` = CASE
    WHEN `target`.`__trickle_rows` + `changes`.`__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `target`.`__trickle_rows` + `changes`.`__trickle_rows`
  END,
  `__trickle_count_sum` = `target`.`__trickle_count_sum` + `changes`.`__trickle_count_sum`,
  `__trickle_count_count` = `target`.`__trickle_count_count` + `changes`.`__trickle_count_count`,
  `__trickle_count_2_sum` = `target`.`__trickle_count_2_sum` + `changes`.`__trickle_count_2_sum`,
  `__trickle_count_2_count` = `target`.`__trickle_count_2_count` + `changes`.`__trickle_count_2_count`
WHEN NOT MATCHED THEN INSERT (
  `customer_id`,
  `__trickle_count`,
  `__trickle_rows`,
  `__trickle_count_sum`,
  `__trickle_count_count`,
  `__trickle_count_2_sum`,
  `__trickle_count_2_count`
) VALUES (
  `changes`.`customer_id_3`,
  CASE
    WHEN CASE
      WHEN `changes`.`__trickle_count_count` > 0
      THEN CAST(`changes`.`__trickle_count_sum` AS BIGINT)
      ELSE NULL
    END > 0
    AND CASE
      WHEN `changes`.`__trickle_count_2_count` > 0
      THEN CAST(`changes`.`__trickle_count_2_sum` AS BIGINT)
      ELSE NULL
    END > 0
    THEN CAST(1 AS BIGINT)
    ELSE CAST(0 AS BIGINT)
  END,
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END,
  `changes`.`__trickle_count_sum`,
  `changes`.`__trickle_count_count`,
  `changes`.`__trickle_count_2_sum`,
  `changes`.`__trickle_count_2_count`
);
