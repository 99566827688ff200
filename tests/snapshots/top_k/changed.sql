-- The first rows of an order: the stored ones, some more than are shown, and the change are put in order again.
--   SELECT order_id, amount FROM shop.orders ORDER BY amount DESC LIMIT 10
-- shop.orders gained and lost rows
-- overwrite: apply the change by replace_top
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `order_id` AS `order_id`,
  `amount` AS `amount`,
  CAST(GREATEST(
    LEAST(`__trickle_through`, 10) - GREATEST(`__trickle_through` - `__trickle_rows`, 0),
    0
  ) AS BIGINT) AS `__trickle_count`,
  CAST(`__trickle_rows` AS BIGINT) AS `__trickle_rows`,
  CAST(CASE
    WHEN COALESCE((
      SELECT
        MIN(`__trickle_known`)
      FROM `shop`.`example__trickle`
    ), 2) = 2
    AND `__trickle_total` <= 110
    THEN 2
    ELSE 1
  END AS INT) AS `__trickle_known`
FROM (
  SELECT
    *,
    SUM(`__trickle_rows`) OVER (
      ORDER BY `amount` DESC, `order_id` ASC
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS `__trickle_through`,
    SUM(`__trickle_rows`) OVER () AS `__trickle_total`
  FROM (
    SELECT
      `order_id`,
      `amount`,
      CASE
        WHEN `__trickle_rows` > 0
        AND (
          COALESCE((
            SELECT
              MIN(`__trickle_known`)
            FROM `shop`.`example__trickle`
          ), 2) = 2
          OR `__trickle_within` = 1
        )
        THEN `__trickle_rows`
        ELSE 0
      END AS `__trickle_rows`
    FROM (
      SELECT
        *,
        MAX(`__trickle_stored`) OVER (
          ORDER BY `amount` DESC, `order_id` ASC
          ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        ) AS `__trickle_within`
      FROM (
        SELECT
          `order_id`,
          `amount`,
          CAST(SUM(`__trickle_rows`) AS BIGINT) AS `__trickle_rows`,
          MAX(`__trickle_stored`) AS `__trickle_stored`
        FROM (
          SELECT
            `order_id`,
            `amount`,
            `__trickle_rows` AS `__trickle_rows`,
            1 AS `__trickle_stored`
          FROM `shop`.`example__trickle`
          UNION ALL
          SELECT
            `order_id`,
            `amount`,
            `__trickle_weight` AS `__trickle_rows`,
            0 AS `__trickle_stored`
          FROM (
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
          ) AS `moved`
        ) AS `parts`
        GROUP BY
          1,
          2
      ) AS `together`
    ) AS `placed`
  ) AS `counted`
) AS `ranked`
WHERE
  CASE
    WHEN COALESCE((
      SELECT
        MIN(`__trickle_known`)
      FROM `shop`.`example__trickle`
    ), 2) = 2
    OR (
      COALESCE((
        SELECT
          MIN(`__trickle_known`)
        FROM `shop`.`example__trickle`
      ), 2) = 1
      AND `__trickle_total` >= 10
    )
    THEN `__trickle_rows` > 0 AND `__trickle_through` - `__trickle_rows` < 110
    ELSE CAST(RAISE_ERROR(
      'dbt-trickle [rows_run_out]: the stored first rows do not decide the answer any more'
    ) AS BOOLEAN)
  END;
