-- The rows of the touched groups as they are now; a NULL key finds its rows too.
--   SELECT customer_id, MAX(order_id) AS latest FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
  SELECT DISTINCT
    `orders_2`.`customer_id` AS `__trickle_touched_1`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders_2`
)
SELECT /*+ BROADCAST(`touched_keys`) */
  `orders`.`order_id` AS `orders_order_id`,
  `orders`.`customer_id` AS `orders_customer_id`
FROM `shop`.`orders` VERSION AS OF 9 AS `orders`
LEFT SEMI JOIN `touched_keys`
  ON `orders`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`__trickle_touched_1`
