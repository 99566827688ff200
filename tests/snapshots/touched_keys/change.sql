-- The groups that a change may have touched, each once, whatever the weights.
--   SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
SELECT DISTINCT
  `orders`.`customer_id` AS `__trickle_touched_1`
FROM (
  SELECT
    `order_id`,
    `customer_id`,
    `status`,
    `amount`,
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
) AS `orders`
