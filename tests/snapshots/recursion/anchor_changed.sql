-- The step reads no table: only the changed rows of the anchor are followed.
--   WITH RECURSIVE round AS (
--     SELECT order_id, amount, 1 AS month FROM shop.orders
--     UNION ALL
--     SELECT order_id, amount, month + 1 FROM round WHERE month < 3
--   )
--   SELECT month, SUM(amount) AS due FROM round GROUP BY month
-- shop.orders only gained rows
WITH RECURSIVE `recursion` AS (
  SELECT
    `orders`.`order_id` AS `order_id_2`,
    `orders`.`amount` AS `amount_2`,
    1 AS `month_2`,
    0 AS `level`,
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
    2,
    3,
    4
  HAVING
    SUM(`orders`.`__trickle_weight`) <> 0
  UNION ALL
  SELECT
    `round`.`order_id_2` AS `order_id_2`,
    `round`.`amount_2` AS `amount_2`,
    `round`.`month_2` + 1 AS `month_2`,
    `round`.`level` + 1 AS `level`,
    `round`.`__trickle_weight` AS `__trickle_weight`
  FROM `recursion` AS `round`
  WHERE
    `round`.`month_2` < 3
), `within_levels` AS (
  SELECT
    `recursion`.`order_id_2` AS `order_id_2`,
    `recursion`.`amount_2` AS `amount_2`,
    `recursion`.`month_2` AS `month_2`,
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
  `within_levels`.`order_id_2` AS `order_id_2`,
  `within_levels`.`amount_2` AS `amount_2`,
  `within_levels`.`month_2` AS `month_2`,
  `within_levels`.`level` AS `level`,
  `within_levels`.`__trickle_weight` AS `__trickle_weight`
FROM `within_levels`
