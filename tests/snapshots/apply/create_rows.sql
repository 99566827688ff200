-- A first build of a result without keys: the query's own text, each row counted once.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- create: build the table
SELECT
  `order_id`,
  `amount`,
  CAST(1 AS BIGINT) AS `__trickle_count`
FROM (
  SELECT order_id, amount FROM `shop`.`orders` VERSION AS OF 7 WHERE status = 'paid'

) AS `result`(`order_id`, `amount`);

-- facade: the view users read
SELECT
  `order_id`,
  `amount`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`;
