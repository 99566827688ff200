-- Groups to which changes are appended: each touched one as it was, with negative counts, and as it is.
--   SELECT customer_id, COUNT(*) AS orders, SUM(amount) AS total FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
-- append: apply the change by append_groups
INSERT INTO `shop`.`example__trickle` (
  `customer_id`,
  `orders`,
  `total`,
  `__trickle_count`,
  `__trickle_rows`,
  `__trickle_count_count`,
  `__trickle_sum_sum`,
  `__trickle_sum_count`
)
SELECT
  `orders_customer_id_2` AS `customer_id`,
  CASE
    WHEN `__trickle_sign` = 1
    THEN `__trickle_count_count`
    ELSE `__trickle_old_0`
  END AS `orders`,
  CASE
    WHEN `__trickle_sign` = 1
    THEN CASE
      WHEN `__trickle_sum_count` > 0
      THEN CAST(`__trickle_sum_sum` AS DECIMAL(20, 2))
      ELSE NULL
    END
    ELSE `__trickle_old_1`
  END AS `total`,
  CASE WHEN `__trickle_sign` = 1 THEN CAST(1 AS BIGINT) ELSE -`__trickle_old_2` END AS `__trickle_count`,
  CASE
    WHEN `__trickle_sign` = 1
    THEN CASE
      WHEN `__trickle_rows` < 0
      THEN CAST(RAISE_ERROR(
        'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
      ) AS BIGINT)
      ELSE `__trickle_rows`
    END
    ELSE -`__trickle_old_3`
  END AS `__trickle_rows`,
  CASE
    WHEN `__trickle_sign` = 1
    THEN `__trickle_count_count`
    ELSE `__trickle_old_4`
  END AS `__trickle_count_count`,
  CASE WHEN `__trickle_sign` = 1 THEN `__trickle_sum_sum` ELSE `__trickle_old_5` END AS `__trickle_sum_sum`,
  CASE WHEN `__trickle_sign` = 1 THEN `__trickle_sum_count` ELSE `__trickle_old_6` END AS `__trickle_sum_count`
FROM (
  SELECT
    `orders_customer_id_2`,
    SUM(`__trickle_rows`) AS `__trickle_rows`,
    SUM(`__trickle_count_count`) AS `__trickle_count_count`,
    SUM(`__trickle_sum_sum`) AS `__trickle_sum_sum`,
    SUM(`__trickle_sum_count`) AS `__trickle_sum_count`,
    MAX(`__trickle_old_0`) AS `__trickle_old_0`,
    MAX(`__trickle_old_1`) AS `__trickle_old_1`,
    MAX(`__trickle_old_2`) AS `__trickle_old_2`,
    MAX(`__trickle_old_3`) AS `__trickle_old_3`,
    MAX(`__trickle_old_4`) AS `__trickle_old_4`,
    MAX(`__trickle_old_5`) AS `__trickle_old_5`,
    MAX(`__trickle_old_6`) AS `__trickle_old_6`
  FROM (
    SELECT
      `customer_id` AS `orders_customer_id_2`,
      `__trickle_rows`,
      `__trickle_count_count`,
      `__trickle_sum_sum`,
      `__trickle_sum_count`,
      `orders` AS `__trickle_old_0`,
      `total` AS `__trickle_old_1`,
      `__trickle_count` AS `__trickle_old_2`,
      `__trickle_rows` AS `__trickle_old_3`,
      `__trickle_count_count` AS `__trickle_old_4`,
      `__trickle_sum_sum` AS `__trickle_old_5`,
      `__trickle_sum_count` AS `__trickle_old_6`,
      0 AS `__trickle_touched`
    FROM (
      SELECT
        `customer_id`,
        `orders`,
        `total`,
        `__trickle_count`,
        `__trickle_rows`,
        `__trickle_count_count`,
        `__trickle_sum_sum`,
        `__trickle_sum_count`
      FROM (
        SELECT
          `customer_id` AS `customer_id`,
          `orders` AS `orders`,
          `total` AS `total`,
          ABS(`__trickle_count`) AS `__trickle_count`,
          ABS(`__trickle_rows`) AS `__trickle_rows`,
          `__trickle_count_count` AS `__trickle_count_count`,
          `__trickle_sum_sum` AS `__trickle_sum_sum`,
          `__trickle_sum_count` AS `__trickle_sum_count`,
          CASE WHEN `__trickle_count` < 0 OR `__trickle_rows` < 0 THEN -1 ELSE 1 END AS `__trickle_sign`
        FROM `shop`.`example__trickle`
      ) AS `signed`
      GROUP BY
        `customer_id`,
        `orders`,
        `total`,
        `__trickle_count`,
        `__trickle_rows`,
        `__trickle_count_count`,
        `__trickle_sum_sum`,
        `__trickle_sum_count`
      HAVING
        SUM(`__trickle_sign`) > 0
    ) AS `live`
    UNION ALL
    SELECT
      `orders_customer_id_2`,
      `__trickle_rows`,
      `__trickle_count_count`,
      `__trickle_sum_sum`,
      `__trickle_sum_count`,
      NULL AS `__trickle_old_0`,
      NULL AS `__trickle_old_1`,
      NULL AS `__trickle_old_2`,
      NULL AS `__trickle_old_3`,
      NULL AS `__trickle_old_4`,
      NULL AS `__trickle_old_5`,
      NULL AS `__trickle_old_6`,
      1 AS `__trickle_touched`
    FROM (
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
    ) AS `moved`
  ) AS `parts`
  GROUP BY
    1
  HAVING
    MAX(`__trickle_touched`) = 1
) AS `totals`
LATERAL VIEW
EXPLODE(ARRAY(1, CAST(-1 AS INT))) __trickle_signs AS `__trickle_sign`
WHERE
  CASE
    WHEN `__trickle_sign` = 1
    THEN `__trickle_rows` <> 0
    ELSE NOT `__trickle_old_3` IS NULL
  END;
