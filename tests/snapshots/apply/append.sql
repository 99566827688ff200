-- The source only gained rows and each gives new rows: they are added, nothing else is read.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
-- shop.orders only gained rows
-- append: apply the change by append
INSERT INTO `shop`.`example__trickle` (
  `order_id`,
  `amount`,
  `__trickle_count`
)
SELECT
  `order_id`,
  `amount`,
  CAST(`__trickle_weight` AS BIGINT) AS `__trickle_count`
FROM (
  SELECT
    `orders`.`order_id` AS `order_id`,
    `orders`.`amount` AS `amount`,
    `orders`.`__trickle_weight` AS `__trickle_weight`
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
) AS `added`;
