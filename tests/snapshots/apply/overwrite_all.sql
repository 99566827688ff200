-- FULL over a table that exists: the query's own text, pinned to versions, written whole.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- shop.orders gained and lost rows
-- overwrite: recompute all rows
INSERT OVERWRITE TABLE `shop`.`example__trickle`
SELECT
  `order_id`,
  `amount`,
  CAST(1 AS BIGINT) AS `__trickle_count`
FROM (
  SELECT order_id, amount FROM `shop`.`orders` VERSION AS OF 9 WHERE status = 'paid'

) AS `result`(`order_id`, `amount`);
