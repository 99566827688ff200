-- A first build of ranks of groups: each group with its states and with what is shown of it.
--   SELECT customer_id, SUM(amount) AS total, RANK() OVER (ORDER BY SUM(amount) DESC) AS place
--   FROM shop.orders
--   GROUP BY customer_id
--   HAVING COUNT(*) > 1
-- create: build the table
WITH `aggregate` AS (
  SELECT
    `orders`.`customer_id` AS `orders_customer_id_2`,
    COUNT(*) AS `__trickle_rows`,
    CAST(COALESCE(SUM(CAST(`orders`.`amount` AS DECIMAL(10, 2))), 0) AS DECIMAL(20, 2)) AS `__trickle_sum_sum`,
    COUNT(CASE WHEN NOT `orders`.`amount` IS NULL THEN 1 ELSE NULL END) AS `__trickle_sum_count`,
    COUNT(*) AS `__trickle_count_count`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
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
    `aggregate`.`__trickle_rows` AS `__trickle_rows`,
    `aggregate`.`__trickle_sum_sum` AS `__trickle_sum_sum`,
    `aggregate`.`__trickle_sum_count` AS `__trickle_sum_count`,
    `aggregate`.`__trickle_count_count` AS `__trickle_count_count`,
    COALESCE(`aggregate`.`__trickle_count_count` > 1, FALSE) AS `__trickle_seen`
  FROM `aggregate`
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

-- facade: the view users read
SELECT
  `customer_id`,
  `total`,
  `place`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`;
