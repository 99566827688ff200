-- The view users read: every stored row as often as its count says.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
SELECT
  `order_id`,
  `amount`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`
