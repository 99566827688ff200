-- Over all rows: stored rows from the first changed place on are answered again, going on from those before.
--   SELECT order_id, amount, RANK() OVER (ORDER BY amount DESC) AS place FROM shop.orders
-- shop.orders gained and lost rows
-- merge: apply the change by replace_suffix
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  WITH `changed` AS (
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
  ), `first` AS (
    SELECT
      `__trickle_key_1` AS `first_1`
    FROM (
      SELECT
        `__trickle_key_1`
      FROM (
        SELECT
          *,
          `amount` AS `__trickle_key_1`
        FROM `changed`
      ) AS `moved`
      ORDER BY
        `__trickle_key_1` DESC
      LIMIT 1
    ) AS `ordered`
  ), `start` AS (
    SELECT
      `first_1` AS `start_1`
    FROM `first`
  ), `held` AS (
    SELECT
      `order_id`,
      `amount`,
      `place`,
      `__trickle_count`,
      `__trickle_twin`
    FROM (
      SELECT
        *,
        `amount` AS `__trickle_key_1`
      FROM `shop`.`example__trickle`
    ) AS `stored`
    CROSS JOIN `start`
    WHERE
      NOT COALESCE(
        (
          `__trickle_key_1` > `start_1`
          OR (
            `start_1` IS NULL AND NOT `__trickle_key_1` IS NULL
          )
        ),
        FALSE
      )
  ), `earlier` AS (
    SELECT
      CAST(COUNT(*) AS INT) AS `__trickle_earlier_1_rows`
    FROM (
      SELECT
        *,
        `amount` AS `__trickle_key_1`
      FROM `shop`.`example__trickle`
    ) AS `stored`
    CROSS JOIN `start`
    WHERE
      COALESCE(
        (
          `__trickle_key_1` > `start_1`
          OR (
            `start_1` IS NULL AND NOT `__trickle_key_1` IS NULL
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
      `amount`,
      `__trickle_twin`,
      RANK() OVER (ORDER BY `amount` DESC) + `__trickle_earlier_1_rows` AS `__trickle_window_1`
    FROM (
      SELECT
        *,
        `amount` AS `__trickle_key_1`
      FROM `rows`
    ) AS `rows`
    CROSS JOIN `earlier`
  ), `fresh` AS (
    SELECT
      `order_id` AS `order_id`,
      `amount` AS `amount`,
      `__trickle_window_1` AS `place`,
      CAST(1 AS BIGINT) AS `__trickle_count`,
      `__trickle_twin` AS `__trickle_twin`,
      TRUE AS `__trickle_within`
    FROM `answered`
  )
  SELECT
    COALESCE(`fresh`.`order_id`, `held`.`order_id`) AS `order_id`,
    COALESCE(`fresh`.`amount`, `held`.`amount`) AS `amount`,
    COALESCE(`fresh`.`__trickle_twin`, `held`.`__trickle_twin`) AS `__trickle_twin`,
    `fresh`.`place` AS `place`,
    `fresh`.`__trickle_count` AS `__trickle_count`,
    `fresh`.`__trickle_twin` IS NULL AS `__trickle_gone`
  FROM `fresh`
  FULL JOIN `held`
    ON `fresh`.`order_id` IS NOT DISTINCT FROM `held`.`order_id`
    AND `fresh`.`amount` IS NOT DISTINCT FROM `held`.`amount`
    AND `fresh`.`__trickle_twin` IS NOT DISTINCT FROM `held`.`__trickle_twin`
  WHERE
    `fresh`.`__trickle_twin` IS NULL
    OR (
      `fresh`.`__trickle_within`
      AND (
        `held`.`__trickle_twin` IS NULL
        OR NOT (
          `fresh`.`place` IS NOT DISTINCT FROM `held`.`place`
          AND `fresh`.`__trickle_count` IS NOT DISTINCT FROM `held`.`__trickle_count`
        )
      )
    )
) AS `changes`
ON `target`.`order_id` IS NOT DISTINCT FROM `changes`.`order_id`
AND `target`.`amount` IS NOT DISTINCT FROM `changes`.`amount`
AND `target`.`__trickle_twin` IS NOT DISTINCT FROM `changes`.`__trickle_twin`
WHEN MATCHED AND `changes`.`__trickle_gone` THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `place` = `changes`.`place`,
  `__trickle_count` = `changes`.`__trickle_count`
WHEN NOT MATCHED AND NOT `changes`.`__trickle_gone` THEN INSERT (`order_id`, `amount`, `place`, `__trickle_count`, `__trickle_twin`) VALUES (
  `changes`.`order_id`,
  `changes`.`amount`,
  `changes`.`place`,
  `changes`.`__trickle_count`,
  `changes`.`__trickle_twin`
);
