-- A small grouping: written whole from the stored states and their change.
--   SELECT customer_id, COUNT(*) AS orders, AVG(amount) AS usual
--   FROM shop.orders
--   GROUP BY customer_id
--   HAVING COUNT(*) > 1
-- shop.orders gained and lost rows
-- overwrite: apply the change by overwrite
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `orders_customer_id_2` AS `customer_id`,
  CASE WHEN `__trickle_count_count` > 1 THEN `__trickle_count_count` ELSE NULL END AS `orders`,
  CASE
    WHEN `__trickle_count_count` > 1
    THEN CASE
      WHEN `__trickle_avg_count` > 0
      THEN CAST(CAST(`__trickle_avg_sum` AS DECIMAL(24, 6)) / NULLIF(CAST(`__trickle_avg_count` AS DECIMAL(10, 0)), 0) AS DECIMAL(14, 6))
      ELSE NULL
    END
    ELSE NULL
  END AS `usual`,
  CASE
    WHEN `__trickle_count_count` > 1
    THEN CAST(1 AS BIGINT)
    ELSE CAST(0 AS BIGINT)
  END AS `__trickle_count`,
  CASE
    WHEN `__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `__trickle_rows`
  END AS `__trickle_rows`,
  `__trickle_count_count` AS `__trickle_count_count`,
  `__trickle_avg_sum` AS `__trickle_avg_sum`,
  `__trickle_avg_count` AS `__trickle_avg_count`
FROM (
  SELECT
    `orders_customer_id_2`,
    SUM(`__trickle_rows`) AS `__trickle_rows`,
    SUM(`__trickle_count_count`) AS `__trickle_count_count`,
    SUM(`__trickle_avg_sum`) AS `__trickle_avg_sum`,
    SUM(`__trickle_avg_count`) AS `__trickle_avg_count`
  FROM (
    SELECT
      `customer_id` AS `orders_customer_id_2`,
      `__trickle_rows`,
      `__trickle_count_count`,
      `__trickle_avg_sum`,
      `__trickle_avg_count`
    FROM `shop`.`example__trickle`
    UNION ALL
    SELECT
      `orders`.`customer_id` AS `orders_customer_id_2`,
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
      ) AS DECIMAL(20, 2)) AS `__trickle_avg_sum`,
      SUM(
        CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
      ) AS `__trickle_avg_count`
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
  ) AS `parts`
  GROUP BY
    1
) AS `totals`
WHERE
  `__trickle_rows` <> 0;
