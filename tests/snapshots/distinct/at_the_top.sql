-- DISTINCT at the top is a grouping by all columns: stored rows know how many input rows they represent.
--   SELECT DISTINCT country FROM shop.customers
-- shop.customers gained and lost rows
-- merge: apply the change by merge_by_key
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    SELECT
      `customers`.`country` AS `country`,
      SUM(`customers`.`__trickle_weight`) AS `__trickle_rows`
    FROM (
      SELECT
        `customer_id`,
        `name`,
        `country`,
        CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
      FROM TABLE_CHANGES('`shop`.`customers`', 5, 6)
    ) AS `customers`
    GROUP BY
      1
    HAVING
      SUM(`customers`.`__trickle_weight`) <> 0
  ) AS `changes`
) AS `changes`
ON `target`.`country` IS NOT DISTINCT FROM `changes`.`country`
WHEN MATCHED AND `target`.`__trickle_rows` + `changes`.`__trickle_rows` = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET
  `__trickle_count` = CAST(1 AS BIGINT),
  `__trickle_rows` = CASE
    WHEN `target`.`__trickle_rows` + `changes`.`__trickle_rows` < 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `target`.`__trickle_rows` + `changes`.`__trickle_rows`
  END
WHEN NOT MATCHED THEN INSERT (`country`, `__trickle_count`, `__trickle_rows`) VALUES (
  `changes`.`country`,
  CAST(1 AS BIGINT),
  CASE
    WHEN `changes`.`__trickle_rows` <= 0
    THEN CAST(RAISE_ERROR(
      'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
    ) AS BIGINT)
    ELSE `changes`.`__trickle_rows`
  END
);
