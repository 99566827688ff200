-- The touched partitions are computed again, before and after; a column breaks the ties of the user's order.
--   SELECT order_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY amount DESC) AS place FROM shop.orders
-- shop.orders gained and lost rows
WITH `touched_keys` AS (
  SELECT DISTINCT
    `orders_2`.`customer_id` AS `partition_key`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders_2`
), `restrict` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `orders`.`order_id` AS `orders_order_id`,
    `orders`.`customer_id` AS `orders_customer_id`,
    `orders`.`amount` AS `orders_amount`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
  LEFT SEMI JOIN `touched_keys`
    ON `orders`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`partition_key`
), `window` AS (
  SELECT
    `restrict`.`orders_order_id` AS `orders_order_id`,
    `restrict`.`orders_customer_id` AS `orders_customer_id`,
    `restrict`.`orders_amount` AS `orders_amount`,
    ROW_NUMBER() OVER (
      PARTITION BY `restrict`.`orders_customer_id`
      ORDER BY `restrict`.`orders_amount` DESC, `restrict`.`orders_order_id`
    ) AS `row_number`
  FROM `restrict`
), `restrict_2` AS (
  SELECT /*+ BROADCAST(`touched_keys_2`) */
    `orders_3`.`order_id` AS `orders_order_id`,
    `orders_3`.`customer_id` AS `orders_customer_id`,
    `orders_3`.`amount` AS `orders_amount`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_3`
  LEFT SEMI JOIN `touched_keys` AS `touched_keys_2`
    ON `orders_3`.`customer_id` IS NOT DISTINCT FROM `touched_keys_2`.`partition_key`
), `window_2` AS (
  SELECT
    `restrict_2`.`orders_order_id` AS `orders_order_id`,
    `restrict_2`.`orders_customer_id` AS `orders_customer_id`,
    `restrict_2`.`orders_amount` AS `orders_amount`,
    ROW_NUMBER() OVER (
      PARTITION BY `restrict_2`.`orders_customer_id`
      ORDER BY `restrict_2`.`orders_amount` DESC, `restrict_2`.`orders_order_id`
    ) AS `row_number`
  FROM `restrict_2`
), `union_all` AS (
  SELECT
    `window`.`orders_order_id` AS `orders_order_id`,
    `window`.`orders_customer_id` AS `orders_customer_id`,
    `window`.`orders_amount` AS `orders_amount`,
    `window`.`row_number` AS `row_number`,
    -1 AS `__trickle_weight`
  FROM `window`
  UNION ALL
  SELECT
    `window_2`.`orders_order_id` AS `orders_order_id`,
    `window_2`.`orders_customer_id` AS `orders_customer_id`,
    `window_2`.`orders_amount` AS `orders_amount`,
    `window_2`.`row_number` AS `row_number`,
    1 AS `__trickle_weight`
  FROM `window_2`
)
SELECT
  `union_all`.`orders_order_id` AS `order_id`,
  `union_all`.`row_number` AS `place`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
