-- The rows users see before this refresh; the count is the weight.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
SELECT
  `stored`.`order_id` AS `order_id`,
  `stored`.`amount` AS `amount`,
  `stored`.`__trickle_weight` AS `__trickle_weight`
FROM (
  SELECT
    `order_id`,
    `amount`,
    `__trickle_count` AS `__trickle_weight`
  FROM `shop`.`example__trickle`
  WHERE
    `__trickle_count` <> 0
) AS `stored`
