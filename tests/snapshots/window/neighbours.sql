-- Only neighbours are looked at: the stretch ends a row after the last changed place.
--   SELECT order_id, LAG(amount) OVER (ORDER BY order_id) AS earlier FROM shop.orders
-- shop.orders gained and lost rows
-- merge: apply the change by replace_neighbours
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
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
      `start_1` AS `start_1`
    FROM (
      SELECT
        `start_1`
      FROM (
        SELECT
          `first_1` AS `start_1`
        FROM `first`
        UNION ALL
        SELECT
          *
        FROM (
          SELECT
            `__trickle_key_1` AS `start_1`
          FROM (
            SELECT
              `__trickle_key_1`
            FROM (
              SELECT
                `__trickle_key_1`
              FROM (
                SELECT
                  *,
                  `order_id` AS `__trickle_key_1`
                FROM `shop`.`example__trickle`
              ) AS `stored`
              CROSS JOIN `first`
              WHERE
                COALESCE(
                  (
                    `__trickle_key_1` < `first_1`
                    OR (
                      `__trickle_key_1` IS NULL AND NOT `first_1` IS NULL
                    )
                  ),
                  FALSE
                )
            ) AS `before`
            ORDER BY
              `__trickle_key_1` DESC
            LIMIT 1
          ) AS `ordered`
        ) AS `nearest`
      ) AS `places`
      ORDER BY
        `start_1` ASC
      LIMIT 1
    ) AS `ordered`
  ), `last` AS (
    SELECT
      `__trickle_key_1` AS `last_1`
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
        `__trickle_key_1` DESC
      LIMIT 1
    ) AS `ordered`
  ), `finish` AS (
    SELECT
      `finish_1` AS `finish_1`
    FROM (
      SELECT
        `finish_1`
      FROM (
        SELECT
          `last_1` AS `finish_1`
        FROM `last`
        UNION ALL
        SELECT
          *
        FROM (
          SELECT
            `__trickle_key_1` AS `finish_1`
          FROM (
            SELECT
              `__trickle_key_1`
            FROM (
              SELECT
                `__trickle_key_1`
              FROM (
                SELECT
                  *,
                  `order_id` AS `__trickle_key_1`
                FROM `shop`.`example__trickle`
              ) AS `stored`
              CROSS JOIN `last`
              WHERE
                COALESCE(
                  (
                    `__trickle_key_1` > `last_1`
                    OR (
                      `last_1` IS NULL AND NOT `__trickle_key_1` IS NULL
                    )
                  ),
                  FALSE
                )
            ) AS `before`
            ORDER BY
              `__trickle_key_1` ASC
            LIMIT 1
          ) AS `ordered`
        ) AS `nearest`
      ) AS `places`
      ORDER BY
        `finish_1` DESC
      LIMIT 1
    ) AS `ordered`
  ), `held` AS (
    SELECT
      `order_id`,
      `earlier`,
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
    CROSS JOIN `finish`
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
      AND NOT COALESCE(
        (
          `finish_1` < `__trickle_key_1`
          OR (
            `finish_1` IS NULL AND NOT `__trickle_key_1` IS NULL
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
      LAG(`__trickle_input_2`) OVER (ORDER BY `order_id`, `__trickle_input_2`, `__trickle_twin`) AS `__trickle_window_1`,
      ROW_NUMBER() OVER (ORDER BY `order_id`, `__trickle_input_2`, `__trickle_twin`) AS `__trickle_place`,
      SUM(
        CASE
          WHEN COALESCE(
            (
              `__trickle_key_1` < `first_1`
              OR (
                `__trickle_key_1` IS NULL AND NOT `first_1` IS NULL
              )
            ),
            FALSE
          )
          THEN 1
          ELSE 0
        END
      ) OVER () AS `__trickle_prior`,
      SUM(
        CASE
          WHEN NOT COALESCE(
            (
              `last_1` < `__trickle_key_1`
              OR (
                `last_1` IS NULL AND NOT `__trickle_key_1` IS NULL
              )
            ),
            FALSE
          )
          THEN 1
          ELSE 0
        END
      ) OVER () AS `__trickle_through`
    FROM (
      SELECT
        *,
        `order_id` AS `__trickle_key_1`
      FROM `rows`
    ) AS `rows`
    CROSS JOIN `first`
    CROSS JOIN `last`
  ), `fresh` AS (
    SELECT
      `order_id` AS `order_id`,
      `__trickle_window_1` AS `earlier`,
      CAST(1 AS BIGINT) AS `__trickle_count`,
      `__trickle_input_2` AS `__trickle_input_2`,
      `__trickle_twin` AS `__trickle_twin`,
      `__trickle_place` > `__trickle_prior` - 0
      AND `__trickle_place` <= `__trickle_through` + 1 AS `__trickle_within`
    FROM `answered`
  )
  SELECT
    COALESCE(`fresh`.`order_id`, `held`.`order_id`) AS `order_id`,
    COALESCE(`fresh`.`__trickle_input_2`, `held`.`__trickle_input_2`) AS `__trickle_input_2`,
    COALESCE(`fresh`.`__trickle_twin`, `held`.`__trickle_twin`) AS `__trickle_twin`,
    `fresh`.`earlier` AS `earlier`,
    `fresh`.`__trickle_count` AS `__trickle_count`,
    `fresh`.`__trickle_twin` IS NULL AS `__trickle_gone`
  FROM `fresh`
  FULL JOIN `held`
    ON `fresh`.`order_id` IS NOT DISTINCT FROM `held`.`order_id`
    AND `fresh`.`__trickle_input_2` IS NOT DISTINCT FROM `held`.`__trickle_input_2`
    AND `fresh`.`__trickle_twin` IS NOT DISTINCT FROM `held`.`__trickle_twin`
  WHERE
    `fresh`.`__trickle_twin` IS NULL
    OR (
      `fresh`.`__trickle_within`
      AND (
        `held`.`__trickle_twin` IS NULL
        OR NOT (
          `fresh`.`earlier` IS NOT DISTINCT FROM `held`.`earlier`
          AND `fresh`.`__trickle_count` IS NOT DISTINCT FROM `held`.`__trickle_count`
        )
      )
    )
) AS `changes`
ON `target`.`order_id` IS NOT DISTINCT FROM `changes`.`order_id`
AND `target`.`__trickle_input_2` IS NOT DISTINCT FROM `changes`.`__trickle_input_2`
AND `target`.`__trickle_twin` IS NOT DISTINCT FROM `changes`.`__trickle_twin`
WHEN MATCHED AND `changes`.`__trickle_gone` THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `earlier` = `changes`.`earlier`,
  `__trickle_count` = `changes`.`__trickle_count`
WHEN NOT MATCHED AND NOT `changes`.`__trickle_gone` THEN INSERT (`order_id`, `earlier`, `__trickle_count`, `__trickle_input_2`, `__trickle_twin`) VALUES (
  `changes`.`order_id`,
  `changes`.`earlier`,
  `changes`.`__trickle_count`,
  `changes`.`__trickle_input_2`,
  `changes`.`__trickle_twin`
);
