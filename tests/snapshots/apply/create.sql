-- A first build of a grouping: rows and states from the source, then the view over them.
--   SELECT customer_id, COUNT(*) AS orders, AVG(amount) AS usual
--   FROM shop.orders
--   GROUP BY customer_id
--   HAVING COUNT(*) > 1
-- create: build the table
WITH `aggregate` AS (
  SELECT
    `orders`.`customer_id` AS `orders_customer_id_2`,
    COUNT(*) AS `__trickle_rows`,
    COUNT(*) AS `__trickle_count_count`,
    CAST(COALESCE(SUM(CAST(`orders`.`amount` AS DECIMAL(10, 2))), 0) AS DECIMAL(20, 2)) AS `__trickle_avg_sum`,
    COUNT(CASE WHEN NOT `orders`.`amount` IS NULL THEN 1 ELSE NULL END) AS `__trickle_avg_count`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
  GROUP BY
    1
)
SELECT
  `aggregate`.`orders_customer_id_2` AS `customer_id`,
  CASE
    WHEN `aggregate`.`__trickle_count_count` > 1
    THEN `aggregate`.`__trickle_count_count`
    ELSE NULL
  END AS `orders`,
  CASE
    WHEN `aggregate`.`__trickle_count_count` > 1
    THEN CASE
      WHEN `aggregate`.`__trickle_avg_count` > 0
      THEN CAST(CAST(`aggregate`.`__trickle_avg_sum` AS DECIMAL(24, 6)) / NULLIF(CAST(`aggregate`.`__trickle_avg_count` AS DECIMAL(10, 0)), 0) AS DECIMAL(14, 6))
      ELSE NULL
    END
    ELSE NULL
  END AS `usual`,
  CASE
    WHEN `aggregate`.`__trickle_count_count` > 1
    THEN CAST(1 AS BIGINT)
    ELSE CAST(0 AS BIGINT)
  END AS `__trickle_count`,
  `aggregate`.`__trickle_rows` AS `__trickle_rows`,
  `aggregate`.`__trickle_count_count` AS `__trickle_count_count`,
  `aggregate`.`__trickle_avg_sum` AS `__trickle_avg_sum`,
  `aggregate`.`__trickle_avg_count` AS `__trickle_avg_count`
FROM `aggregate`;

-- facade: the view users read
SELECT
  `customer_id`,
  `orders`,
  `usual`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`;
