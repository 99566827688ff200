-- Ranks of groups: the change is added to the stored states, and all groups are ranked again from them.
--   SELECT customer_id, SUM(amount) AS total, RANK() OVER (ORDER BY SUM(amount) DESC) AS place
--   FROM shop.orders
--   GROUP BY customer_id
--   HAVING COUNT(*) > 1
-- shop.orders gained and lost rows
-- overwrite: apply the change by overwrite
WITH `accumulate` AS (
  SELECT
    `orders`.`customer_id` AS `orders_customer_id_2`,
    SUM(`orders`.`__trickle_weight`) AS `__trickle_rows`,
    CAST(COALESCE(
      SUM(
        CASE
          WHEN NOT `orders`.`amount` IS NULL
          THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
          ELSE NULL
        END
      ),
      0
    ) AS DECIMAL(20, 2)) AS `__trickle_sum_sum`,
    SUM(
      CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
    ) AS `__trickle_sum_count`,
    SUM(`orders`.`__trickle_weight`) AS `__trickle_count_count`
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
    1
  HAVING
    SUM(`orders`.`__trickle_weight`) <> 0
    OR CAST(COALESCE(
      SUM(
        CASE
          WHEN NOT `orders`.`amount` IS NULL
          THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
          ELSE NULL
        END
      ),
      0
    ) AS DECIMAL(20, 2)) <> 0
    OR SUM(
      CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
    ) <> 0
    OR SUM(`orders`.`__trickle_weight`) <> 0
), `union_all` AS (
  SELECT
    `kept`.`__trickle_key_1` AS `orders_customer_id_2`,
    `kept`.`__trickle_rows` AS `__trickle_rows`,
    `kept`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `kept`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `kept`.`__trickle_count_count` AS `__trickle_count_count`
  FROM (
    SELECT
      `__trickle_key_1`,
      `__trickle_rows`,
      `__trickle_sum_sum`,
      `__trickle_sum_count`,
      `__trickle_count_count`
    FROM `shop`.`example__trickle`
  ) AS `kept`
  UNION ALL
  SELECT
    `accumulate`.`orders_customer_id_2` AS `orders_customer_id_2`,
    `accumulate`.`__trickle_rows` AS `__trickle_rows`,
    `accumulate`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `accumulate`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `accumulate`.`__trickle_count_count` AS `__trickle_count_count`
  FROM `accumulate`
), `aggregate` AS (
  SELECT
    `union_all`.`orders_customer_id_2` AS `orders_customer_id_2`,
    SUM(`union_all`.`__trickle_rows`) AS `__trickle_rows`,
    SUM(`union_all`.`__trickle_sum_sum`) AS `__trickle_sum_sum`,
    SUM(`union_all`.`__trickle_sum_count`) AS `__trickle_sum_count`,
    SUM(`union_all`.`__trickle_count_count`) AS `__trickle_count_count`
  FROM `union_all`
  GROUP BY
    1
), `project` AS (
  SELECT
    `aggregate`.`orders_customer_id_2` AS `orders_customer_id_2`,
    CASE
      WHEN `aggregate`.`__trickle_sum_count` > 0
      THEN CAST(`aggregate`.`__trickle_sum_sum` AS DECIMAL(20, 2))
      ELSE NULL
    END AS `sum`,
    `aggregate`.`__trickle_count_count` AS `count`,
    `aggregate`.`orders_customer_id_2` AS `__trickle_key_1`,
    CASE
      WHEN `aggregate`.`__trickle_rows` < 0
      THEN CAST(RAISE_ERROR(
        'dbt-trickle [stored_rows_differ]: the stored rows of shop.example__trickle disagree with its sources; run with --full-refresh'
      ) AS BIGINT)
      ELSE `aggregate`.`__trickle_rows`
    END AS `__trickle_rows`,
    `aggregate`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `aggregate`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `aggregate`.`__trickle_count_count` AS `__trickle_count_count`,
    COALESCE(`aggregate`.`__trickle_count_count` > 1, FALSE) AS `__trickle_seen`
  FROM `aggregate`
  WHERE
    `aggregate`.`__trickle_rows` <> 0
), `project_2` AS (
  SELECT
    CASE
      WHEN `project`.`__trickle_seen`
      THEN `project`.`orders_customer_id_2`
      ELSE NULL
    END AS `orders_customer_id_2`,
    CASE WHEN `project`.`__trickle_seen` THEN `project`.`sum` ELSE NULL END AS `sum`,
    CASE WHEN `project`.`__trickle_seen` THEN `project`.`count` ELSE NULL END AS `count`,
    `project`.`__trickle_key_1` AS `__trickle_key_1`,
    `project`.`__trickle_rows` AS `__trickle_rows`,
    `project`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `project`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `project`.`__trickle_count_count` AS `__trickle_count_count`,
    `project`.`__trickle_seen` AS `__trickle_seen`
  FROM `project`
), `window` AS (
  SELECT
    `project_2`.`orders_customer_id_2` AS `orders_customer_id_2`,
    `project_2`.`sum` AS `sum`,
    `project_2`.`count` AS `count`,
    `project_2`.`__trickle_key_1` AS `__trickle_key_1`,
    `project_2`.`__trickle_rows` AS `__trickle_rows`,
    `project_2`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `project_2`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `project_2`.`__trickle_count_count` AS `__trickle_count_count`,
    `project_2`.`__trickle_seen` AS `__trickle_seen`,
    RANK() OVER (PARTITION BY `project_2`.`__trickle_seen` ORDER BY `project_2`.`sum` DESC) AS `rank`
  FROM `project_2`
)
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `window`.`orders_customer_id_2` AS `customer_id`,
  `window`.`sum` AS `total`,
  `window`.`rank` AS `place`,
  CASE
    WHEN `window`.`__trickle_seen`
    THEN CAST(1 AS BIGINT)
    ELSE CAST(0 AS BIGINT)
  END AS `__trickle_count`,
  `window`.`__trickle_key_1` AS `__trickle_key_1`,
  `window`.`__trickle_rows` AS `__trickle_rows`,
  `window`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
  `window`.`__trickle_sum_count` AS `__trickle_sum_count`,
  `window`.`__trickle_count_count` AS `__trickle_count_count`
FROM `window`;
