-- Statistics prove that all new rows come last: they are added with their answers, nothing stored is touched.
--   SELECT order_id, SUM(amount) OVER (ORDER BY order_id) AS running FROM shop.orders
-- shop.orders only gained rows
-- append: apply the change by extend
WITH `changed` AS (
  SELECT
    `order_id`,
    `__trickle_input_2`,
    `__trickle_weight` AS `__trickle_copies`
  FROM (
    SELECT
      `orders`.`order_id` AS `order_id`,
      `orders`.`amount` AS `__trickle_input_2`,
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
), `first` AS (
  SELECT
    `__trickle_key_1` AS `first_1`
  FROM (
    SELECT
      `__trickle_key_1`
    FROM (
      SELECT
        *,
        `order_id` AS `__trickle_key_1`
      FROM `changed`
    ) AS `moved`
    ORDER BY
      `__trickle_key_1` ASC
    LIMIT 1
  ) AS `ordered`
), `start` AS (
  SELECT
    `first_1` AS `start_1`
  FROM `first`
), `held` AS (
  SELECT
    `order_id`,
    `running`,
    `__trickle_count`,
    `__trickle_input_2`,
    `__trickle_twin`
  FROM (
    SELECT
      *,
      `order_id` AS `__trickle_key_1`
    FROM `shop`.`example__trickle`
  ) AS `stored`
  CROSS JOIN `start`
  WHERE
    NOT COALESCE(
      (
        `__trickle_key_1` < `start_1`
        OR (
          `__trickle_key_1` IS NULL AND NOT `start_1` IS NULL
        )
      ),
      FALSE
    )
), `earlier` AS (
  SELECT
    CAST(COALESCE(SUM(CAST(`__trickle_input_2` AS DECIMAL(10, 2))), 0) AS DECIMAL(20, 2)) AS `__trickle_earlier_1_sum`,
    COUNT(CASE WHEN NOT `__trickle_input_2` IS NULL THEN 1 ELSE NULL END) AS `__trickle_earlier_1_count`
  FROM (
    SELECT
      *,
      `order_id` AS `__trickle_key_1`
    FROM `shop`.`example__trickle`
  ) AS `stored`
  CROSS JOIN `start`
  WHERE
    COALESCE(
      (
        `__trickle_key_1` < `start_1`
        OR (
          `__trickle_key_1` IS NULL AND NOT `start_1` IS NULL
        )
      ),
      FALSE
    )
), `rows` AS (
  SELECT
    *
  FROM (
    SELECT
      *
    FROM (
      SELECT
        `order_id`,
        `__trickle_input_2`,
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
          `__trickle_input_2`,
          1 AS `__trickle_copies`
        FROM `held`
        UNION ALL
        SELECT
          *
        FROM `changed`
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
), `answered` AS (
  SELECT
    `order_id`,
    `__trickle_input_2`,
    `__trickle_twin`,
    CASE
      WHEN `__trickle_earlier_1_count` + COUNT(CASE WHEN NOT `__trickle_input_2` IS NULL THEN 1 ELSE NULL END) OVER (ORDER BY `order_id`) > 0
      THEN CAST(`__trickle_earlier_1_sum` + CAST(COALESCE(SUM(CAST(`__trickle_input_2` AS DECIMAL(10, 2))) OVER (ORDER BY `order_id`), 0) AS DECIMAL(20, 2)) AS DECIMAL(20, 2))
      ELSE NULL
    END AS `__trickle_window_1`
  FROM (
    SELECT
      *,
      `order_id` AS `__trickle_key_1`
    FROM `rows`
  ) AS `rows`
  CROSS JOIN `earlier`
), `fresh` AS (
  SELECT
    `order_id` AS `order_id`,
    `__trickle_window_1` AS `running`,
    CAST(1 AS BIGINT) AS `__trickle_count`,
    `__trickle_input_2` AS `__trickle_input_2`,
    `__trickle_twin` AS `__trickle_twin`,
    TRUE AS `__trickle_within`
  FROM `answered`
)
INSERT INTO `shop`.`example__trickle` (
  `order_id`,
  `running`,
  `__trickle_count`,
  `__trickle_input_2`,
  `__trickle_twin`
)
SELECT
  *
FROM (
  SELECT
    `order_id`,
    `running`,
    `__trickle_count`,
    `__trickle_input_2`,
    `__trickle_twin`
  FROM `fresh`
  WHERE
    `__trickle_within`
) AS `added`;
