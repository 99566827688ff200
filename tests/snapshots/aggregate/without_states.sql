-- COUNT(DISTINCT …) has no states: the touched groups are read again.
--   SELECT customer_id, COUNT(DISTINCT status) AS kinds FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
-- merge: apply the change by replace_groups
MERGE INTO `shop`.`example__trickle` AS `target`
USING (
  SELECT /*+ BROADCAST(`changes`) */
    *
  FROM (
    WITH `touched_keys` AS (
      SELECT DISTINCT
        `orders`.`customer_id` AS `__trickle_touched_1`
      FROM (
        SELECT
          `order_id`,
          `customer_id`,
          `status`,
          `amount`,
          CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
        FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
      ) AS `orders`
    ), `aggregate` AS (
      SELECT /*+ BROADCAST(`touched_keys_2`) */
        `orders_2`.`customer_id` AS `orders_customer_id_2`,
        COUNT(*) AS `__trickle_rows`,
        COUNT(DISTINCT `orders_2`.`status`) AS `count`
      FROM `shop`.`orders` VERSION AS OF 9 AS `orders_2`
      LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
        ON `orders_2`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`__trickle_touched_1`
      GROUP BY
        1
    ), `project` AS (
      SELECT
        `aggregate`.`orders_customer_id_2` AS `customer_id`,
        `aggregate`.`count` AS `kinds`,
        CAST(1 AS BIGINT) AS `__trickle_count`,
        `aggregate`.`__trickle_rows` AS `__trickle_rows`
      FROM `aggregate`
    )
    SELECT /*+ BROADCAST(`project`) */
      `touched_keys`.`__trickle_touched_1` AS `__trickle_touched_1`,
      `project`.`customer_id` AS `customer_id`,
      `project`.`kinds` AS `kinds`,
      `project`.`__trickle_count` AS `__trickle_count`,
      `project`.`__trickle_rows` AS `__trickle_rows`
    FROM `touched_keys`
    LEFT JOIN `project`
      ON `touched_keys`.`__trickle_touched_1` IS NOT DISTINCT FROM `project`.`customer_id`
  ) AS `changes`
) AS `changes`
ON `target`.`customer_id` IS NOT DISTINCT FROM `changes`.`__trickle_touched_1`
WHEN MATCHED AND `changes`.`__trickle_rows` IS NULL THEN DELETE
WHEN MATCHED AND NOT (
  `target`.`customer_id` IS NOT DISTINCT FROM `changes`.`customer_id`
  AND `target`.`kinds` IS NOT DISTINCT FROM `changes`.`kinds`
  AND `target`.`__trickle_count` IS NOT DISTINCT FROM `changes`.`__trickle_count`
  AND `target`.`__trickle_rows` IS NOT DISTINCT FROM `changes`.`__trickle_rows`
) THEN UPDATE SET
  `customer_id` = `changes`.`customer_id`,
  `kinds` = `changes`.`kinds`,
  `__trickle_count` = `changes`.`__trickle_count`,
  `__trickle_rows` = `changes`.`__trickle_rows`
WHEN NOT MATCHED AND NOT `changes`.`__trickle_rows` IS NULL THEN INSERT (`customer_id`, `kinds`, `__trickle_count`, `__trickle_rows`) VALUES (
  `changes`.`customer_id`,
  `changes`.`kinds`,
  `changes`.`__trickle_count`,
  `changes`.`__trickle_rows`
);
