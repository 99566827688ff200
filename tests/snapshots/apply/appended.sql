-- The view of such groups: what came and went of equal rows is added up.
--   SELECT customer_id, COUNT(*) AS orders, SUM(amount) AS total FROM shop.orders GROUP BY customer_id
SELECT
  `customer_id`,
  `orders`,
  `total`
FROM (
  SELECT
    `customer_id`,
    `orders`,
    `total`,
    SUM(`__trickle_count`) AS `__trickle_count`
  FROM `shop`.`example__trickle`
  GROUP BY
    `customer_id`,
    `orders`,
    `total`
) AS `added_up`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`
