-- ROLLUP counts a row once for each of its groupings: it is made into as many rows, and those are grouped.
--   SELECT status, customer_id, SUM(amount) AS total FROM shop.orders GROUP BY ROLLUP (status, customer_id)
-- shop.orders gained and lost rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  WITH `explode` AS (
    SELECT
      `orders`.`customer_id` AS `orders_customer_id`,
      `orders`.`status` AS `orders_status`,
      `orders`.`amount` AS `orders_amount`,
      `__trickle_made_grouping` AS `__trickle_made_grouping`,
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
    LATERAL VIEW
    EXPLODE(ARRAY(0, 1, 2)) __trickle_made_rows AS `__trickle_made_grouping`
  )
  SELECT
    CASE
      WHEN `explode`.`__trickle_made_grouping` IN (0, 1)
      THEN `explode`.`orders_status`
      ELSE NULL
    END AS `orders_status_2`,
    CASE
      WHEN `explode`.`__trickle_made_grouping` IN (0)
      THEN `explode`.`orders_customer_id`
      ELSE NULL
    END AS `orders_customer_id_2`,
    `explode`.`__trickle_made_grouping` AS `__trickle_made_grouping`,
    SUM(`explode`.`__trickle_weight`) AS `__trickle_rows`,
    CAST(COALESCE(
      SUM(
        CASE
          WHEN NOT `explode`.`orders_amount` IS NULL
          THEN CAST(`explode`.`orders_amount` AS DECIMAL(10, 2)) * CAST(`explode`.`__trickle_weight` AS INT)
          ELSE NULL
        END
      ),
      0
    ) AS DECIMAL(20, 2)) AS `__trickle_sum_sum`,
    SUM(
      CASE
        WHEN NOT `explode`.`orders_amount` IS NULL
        THEN `explode`.`__trickle_weight`
        ELSE 0
      END
    ) AS `__trickle_sum_count`
  FROM `explode`
  GROUP BY
    1,
    2,
    3
  HAVING
    SUM(`explode`.`__trickle_weight`) <> 0
    OR CAST(COALESCE(
      SUM(
        CASE
          WHEN NOT `explode`.`orders_amount` IS NULL
          THEN CAST(`explode`.`orders_amount` AS DECIMAL(10, 2)) * CAST(`explode`.`__trickle_weight` AS INT)
          ELSE NULL
        END
      ),
      0
    ) AS DECIMAL(20, 2)) <> 0
    OR SUM(
      CASE
        WHEN NOT `explode`.`orders_amount` IS NULL
        THEN `explode`.`__trickle_weight`
        ELSE 0
      END
    ) <> 0
) AS `changes`
ON `target`.`status` IS NOT DISTINCT FROM `changes`.`orders_status_2`
AND `target`.`customer_id` IS NOT DISTINCT FROM `changes`.`orders_customer_id_2`
AND `target`.`__trickle_key_3` IS NOT DISTINCT FROM `changes`.`__trickle_made_grouping`
WHEN MATCHED AND `target`.`__trickle_rows` + `changes`.`__trickle_rows` = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
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
  `__trickle_sum_sum` = `target`.`__trickle_sum_sum` + `changes`.`__trickle_sum_sum`,
  `__trickle_sum_count` = `target`.`__trickle_sum_count` + `changes`.`__trickle_sum_count`
WHEN NOT MATCHED THEN INSERT (
  `status`,
  `customer_id`,
  `total`,
  `__trickle_count`,
  `__trickle_key_3`,
  `__trickle_rows`,
  `__trickle_sum_sum`,
  `__trickle_sum_count`
) VALUES (
  `changes`.`orders_status_2`,
  `changes`.`orders_customer_id_2`,
  CASE
    WHEN `changes`.`__trickle_sum_count` > 0
    THEN CAST(`changes`.`__trickle_sum_sum` AS DECIMAL(20, 2))
    ELSE NULL
  END,
  CAST(1 AS BIGINT),
  `changes`.`__trickle_made_grouping`,
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END,
  `changes`.`__trickle_sum_sum`,
  `changes`.`__trickle_sum_count`
);
