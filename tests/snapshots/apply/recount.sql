-- A result without keys: values that lost copies are removed, what remains of them and what is new is added.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- shop.orders gained and lost rows
-- merge: apply the change by recount
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    WITH `changes` AS (
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
      WHERE
        `orders`.`status` = 'paid'
      GROUP BY
        1,
        2
      HAVING
        SUM(`orders`.`__trickle_weight`) <> 0
    )
    SELECT
      `order_id`,
      `amount`,
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
        `amount`,
        SUM(`__trickle_weight`) AS `__trickle_weight`,
        SUM(`__trickle_stored`) AS `__trickle_stored`
      FROM (
        SELECT
          `order_id`,
          `amount`,
          `__trickle_weight`,
          0 AS `__trickle_stored`
        FROM `changes`
        UNION ALL
        SELECT /*+ BROADCAST(`lost`) */
          `held`.`order_id`,
          `held`.`amount`,
          0 AS `__trickle_weight`,
          `held`.`__trickle_count` AS `__trickle_stored`
        FROM `shop`.`example__trickle` AS `held`
        LEFT SEMI JOIN (
          SELECT
            `order_id`,
            `amount`
          FROM `changes`
          WHERE
            `__trickle_weight` < 0
        ) AS `lost`
          ON `held`.`order_id` IS NOT DISTINCT FROM `lost`.`order_id`
          AND `held`.`amount` IS NOT DISTINCT FROM `lost`.`amount`
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
) AS `changes`
ON `changes`.`__trickle_step` = 'remove'
AND `target`.`order_id` IS NOT DISTINCT FROM `changes`.`order_id`
AND `target`.`amount` IS NOT DISTINCT FROM `changes`.`amount`
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND `changes`.`__trickle_step` = 'add' THEN INSERT (`order_id`, `amount`, `__trickle_count`) VALUES (`changes`.`order_id`, `changes`.`amount`, `changes`.`__trickle_count`);
