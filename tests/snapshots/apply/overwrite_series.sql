-- A small order: stored rows and change answered again and written whole.
--   SELECT order_id, amount, RANK() OVER (ORDER BY amount DESC) AS place FROM shop.orders
-- shop.orders gained and lost rows
-- overwrite: apply the change by overwrite
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `order_id` AS `order_id`,
  `amount` AS `amount`,
  `__trickle_window_1` AS `place`,
  CAST(1 AS BIGINT) AS `__trickle_count`,
  `__trickle_twin` AS `__trickle_twin`
FROM (
  SELECT
    `order_id`,
    `amount`,
    `__trickle_twin`,
    RANK() OVER (ORDER BY `amount` DESC) AS `__trickle_window_1`
  FROM (
    SELECT
      *
    FROM (
      SELECT
        *
      FROM (
        SELECT
          `order_id`,
          `amount`,
          CASE
            WHEN SUM(`__trickle_copies`) < 0
            THEN CAST(RAISE_ERROR(
              'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
            ) AS BIGINT)
            ELSE CAST(SUM(`__trickle_copies`) AS BIGINT)
          END AS `__trickle_copies`
        FROM (
          SELECT
            `order_id`,
            `amount`,
            1 AS `__trickle_copies`
          FROM `shop`.`example__trickle`
          UNION ALL
          SELECT
            `order_id`,
            `amount`,
            `__trickle_weight` AS `__trickle_copies`
          FROM (
            SELECT
              `orders`.`order_id` AS `order_id`,
              `orders`.`amount` AS `amount`,
              SUM(`orders`.`__trickle_weight`) AS `__trickle_weight`
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
              1,
              2
            HAVING
              SUM(`orders`.`__trickle_weight`) <> 0
          ) AS `moved`
        ) AS `parts`
        GROUP BY
          1,
          2
      ) AS `counted`
      WHERE
        `__trickle_copies` > 0
    ) AS `present`
    LATERAL VIEW
    EXPLODE(SEQUENCE(1, CAST(`__trickle_copies` AS INT))) __trickle_twins AS `__trickle_twin`
  ) AS `rows`
) AS `answered`;
