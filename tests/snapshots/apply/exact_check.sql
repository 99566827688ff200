-- The test stream_table_exact: rows only stored and rows only computed, at the recorded versions.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
SELECT
  'stored but not in the result' AS `__trickle_side`,
  `order_id`,
  `amount`
FROM (
  SELECT
    `order_id` AS `order_id`,
    `amount` AS `amount`
  FROM (
    SELECT
      `order_id`,
      `amount`
    FROM `shop`.`example__trickle`
    LATERAL VIEW
    EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`
  ) AS `stored`
  EXCEPT ALL
  SELECT
    `order_id` AS `order_id`,
    `amount` AS `amount`
  FROM (
    SELECT order_id, amount FROM `shop`.`orders` VERSION AS OF 7 WHERE status = 'paid'

  ) AS `computed`(`order_id`, `amount`)
) AS `difference`
UNION ALL
SELECT
  'in the result but not stored' AS `__trickle_side`,
  `order_id`,
  `amount`
FROM (
  SELECT
    `order_id` AS `order_id`,
    `amount` AS `amount`
  FROM (
    SELECT order_id, amount FROM `shop`.`orders` VERSION AS OF 7 WHERE status = 'paid'

  ) AS `computed`(`order_id`, `amount`)
  EXCEPT ALL
  SELECT
    `order_id` AS `order_id`,
    `amount` AS `amount`
  FROM (
    SELECT
      `order_id`,
      `amount`
    FROM `shop`.`example__trickle`
    LATERAL VIEW
    EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`
  ) AS `stored`
) AS `difference`
