-- The changed rows, and what the old tree makes of changed rows, are followed through the step as it is now.
--   WITH RECURSIVE tree AS (
--     SELECT part_id, pieces, 0 AS depth FROM shop.parts WHERE inside IS NULL
--     UNION ALL
--     SELECT p.part_id, t.pieces * p.pieces, t.depth + 1 FROM shop.parts AS p JOIN tree AS t ON p.inside = t.part_id
--   )
--   SELECT part_id, pieces, depth FROM tree
-- shop.parts gained and lost rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  WITH RECURSIVE `union_all` AS (
    SELECT
      `parts`.`part_id` AS `part_id_2`,
      `parts`.`pieces` AS `pieces_2`,
      0 AS `depth_2`,
      0 AS `level`,
      `parts`.`__trickle_weight` AS `__trickle_weight`
    FROM (
      SELECT
        `part_id`,
        `inside`,
        `pieces`,
        CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
      FROM TABLE_CHANGES('`shop`.`parts`', 7, 8)
    ) AS `parts`
    WHERE
      `parts`.`inside` IS NULL
    UNION ALL
    SELECT /*+ BROADCAST(`p`) */
      `p`.`part_id` AS `part_id_2`,
      `kept`.`pieces_2` * `p`.`pieces` AS `pieces_2`,
      `kept`.`depth_2` + 1 AS `depth_2`,
      `kept`.`level` + 1 AS `level`,
      `p`.`__trickle_weight` AS `__trickle_weight`
    FROM (
      SELECT
        `part_id`,
        `inside`,
        `pieces`,
        CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
      FROM TABLE_CHANGES('`shop`.`parts`', 7, 8)
    ) AS `p`
    JOIN (
      SELECT
        `part_id` AS `part_id_2`,
        `pieces` AS `pieces_2`,
        `depth` AS `depth_2`,
        `__trickle_key_4` AS `level`
      FROM `shop`.`example__trickle`
      LATERAL VIEW
      EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_rows` AS INT))) __trickle_copies AS `__trickle_copy`
    ) AS `kept`
      ON `p`.`inside` = `kept`.`part_id_2`
  ), `recursion` AS (
    SELECT
      `union_all`.`part_id_2` AS `part_id_2`,
      `union_all`.`pieces_2` AS `pieces_2`,
      `union_all`.`depth_2` AS `depth_2`,
      `union_all`.`level` AS `level`,
      SUM(`union_all`.`__trickle_weight`) AS `__trickle_weight`
    FROM `union_all`
    GROUP BY
      1,
      2,
      3,
      4
    HAVING
      SUM(`union_all`.`__trickle_weight`) <> 0
    UNION ALL
    SELECT
      `p_2`.`part_id` AS `part_id_2`,
      `round`.`pieces_2` * `p_2`.`pieces` AS `pieces_2`,
      `round`.`depth_2` + 1 AS `depth_2`,
      `round`.`level` + 1 AS `level`,
      `round`.`__trickle_weight` AS `__trickle_weight`
    FROM `recursion` AS `round`
    JOIN `shop`.`parts` VERSION AS OF 8 AS `p_2`
      ON `p_2`.`inside` = `round`.`part_id_2`
  ), `within_levels` AS (
    SELECT
      `recursion`.`part_id_2` AS `part_id_2`,
      `recursion`.`pieces_2` AS `pieces_2`,
      `recursion`.`depth_2` AS `depth_2`,
      `recursion`.`level` AS `level`,
      `recursion`.`__trickle_weight` AS `__trickle_weight`
    FROM `recursion`
    WHERE
      CASE
        WHEN `recursion`.`level` >= 100
        THEN CAST(RAISE_ERROR('dbt-trickle [recursion_limit]: the recursion goes deeper than 100 levels') AS BOOLEAN)
        ELSE TRUE
      END
  )
  SELECT
    `within_levels`.`part_id_2` AS `part_id_2`,
    `within_levels`.`pieces_2` AS `pieces_2`,
    `within_levels`.`depth_2` AS `depth_2`,
    `within_levels`.`level` AS `level`,
    SUM(`within_levels`.`__trickle_weight`) AS `__trickle_rows`
  FROM `within_levels`
  GROUP BY
    1,
    2,
    3,
    4
  HAVING
    SUM(`within_levels`.`__trickle_weight`) <> 0
) AS `changes`
ON `target`.`part_id` IS NOT DISTINCT FROM `changes`.`part_id_2`
AND `target`.`pieces` IS NOT DISTINCT FROM `changes`.`pieces_2`
AND `target`.`depth` IS NOT DISTINCT FROM `changes`.`depth_2`
AND `target`.`__trickle_key_4` IS NOT DISTINCT FROM `changes`.`level`
WHEN MATCHED AND `target`.`__trickle_rows` + `changes`.`__trickle_rows` = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `__trickle_count` = CAST(`target`.`__trickle_rows` + `changes`.`__trickle_rows` AS BIGINT),
  `__trickle_rows` = CASE
    WHEN `target`.`__trickle_rows` + `changes`.`__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `target`.`__trickle_rows` + `changes`.`__trickle_rows`
  END
WHEN NOT MATCHED THEN INSERT (
  `part_id`,
  `pieces`,
  `depth`,
  `__trickle_count`,
  `__trickle_key_4`,
  `__trickle_rows`
) VALUES (
  `changes`.`part_id_2`,
  `changes`.`pieces_2`,
  `changes`.`depth_2`,
  CAST(`changes`.`__trickle_rows` AS BIGINT),
  `changes`.`level`,
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END
);
