-- Equal rows of a change meet; what came and went in between is gone.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- shop.orders gained and lost rows
SELECT
  `orders`.`order_id` AS `order_id`,
  `orders`.`amount` AS `amount`,
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
WHERE
  `orders`.`status` = 'paid'
GROUP BY
  1,
  2
HAVING
  SUM(`orders`.`__trickle_weight`) <> 0
