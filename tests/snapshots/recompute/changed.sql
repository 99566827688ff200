-- The query is run whole; the stored rows are taken off its result, and only the difference is written.
--   SELECT order_id, amount - AVG(amount) OVER () AS above FROM shop.orders
-- shop.orders gained and lost rows
-- merge: write the differences to the recomputed rows
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  WITH `union_all` AS (
    SELECT
      `recomputed`.`order_id` AS `order_id`,
      `recomputed`.`above` AS `above`,
      1 AS `__trickle_weight`
    FROM (
      SELECT
        *
      FROM (
        SELECT order_id, amount - AVG(amount) OVER () AS above FROM `shop`.`orders` VERSION AS OF 9

      ) AS `result`(`order_id`, `above`)
    ) AS `recomputed`
    UNION ALL
    SELECT
      `stored`.`order_id` AS `order_id`,
      `stored`.`above` AS `above`,
      -`stored`.`__trickle_weight` AS `__trickle_weight`
    FROM (
      SELECT
        `order_id`,
        `above`,
        `__trickle_count` AS `__trickle_weight`
      FROM `shop`.`example__trickle`
      WHERE
        `__trickle_count` <> 0
    ) AS `stored`
  ), `changes` AS (
    SELECT
      `union_all`.`order_id` AS `order_id`,
      `union_all`.`above` AS `above`,
      SUM(`union_all`.`__trickle_weight`) AS `__trickle_weight`
    FROM `union_all`
    GROUP BY
      1,
      2
    HAVING
      SUM(`union_all`.`__trickle_weight`) <> 0
  )
  SELECT
    `order_id`,
    `above`,
    `__trickle_step`,
    CASE
      WHEN `__trickle_stored` + `__trickle_weight` < 0
      THEN CAST(RAISE_ERROR(
        'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
      ) AS BIGINT)
      ELSE CAST(`__trickle_stored` + `__trickle_weight` AS BIGINT)
    END AS `__trickle_count`
  FROM (
    SELECT
      `order_id`,
      `above`,
      SUM(`__trickle_weight`) AS `__trickle_weight`,
      SUM(`__trickle_stored`) AS `__trickle_stored`
    FROM (
      SELECT
        `order_id`,
        `above`,
        `__trickle_weight`,
        0 AS `__trickle_stored`
      FROM `changes`
      UNION ALL
      SELECT
        `held`.`order_id`,
        `held`.`above`,
        0 AS `__trickle_weight`,
        `held`.`__trickle_count` AS `__trickle_stored`
      FROM `shop`.`example__trickle` AS `held`
      LEFT SEMI JOIN (
        SELECT
          `order_id`,
          `above`
        FROM `changes`
        WHERE
          `__trickle_weight` < 0
      ) AS `lost`
        ON `held`.`order_id` IS NOT DISTINCT FROM `lost`.`order_id`
        AND `held`.`above` IS NOT DISTINCT FROM `lost`.`above`
    ) AS `parts`
    GROUP BY
      1,
      2
  ) AS `totals`
  CROSS JOIN (
    SELECT
      'remove' AS `__trickle_step`
    UNION ALL
    SELECT
      'add' AS `__trickle_step`
  ) AS `steps`
  WHERE
    (
      `__trickle_step` = 'remove' AND `__trickle_weight` < 0
    )
    OR (
      `__trickle_step` = 'add' AND `__trickle_stored` + `__trickle_weight` <> 0
    )
) AS `changes`
ON `changes`.`__trickle_step` = 'remove'
AND `target`.`order_id` IS NOT DISTINCT FROM `changes`.`order_id`
AND `target`.`above` IS NOT DISTINCT FROM `changes`.`above`
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND `changes`.`__trickle_step` = 'add' THEN INSERT (`order_id`, `above`, `__trickle_count`) VALUES (`changes`.`order_id`, `changes`.`above`, `changes`.`__trickle_count`);
