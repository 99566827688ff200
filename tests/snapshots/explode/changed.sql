-- The change of what rows are made into is what the changed rows are made into.
--   SELECT order_id, word FROM shop.orders LATERAL VIEW EXPLODE(SPLIT(status, ' ')) AS word
-- shop.orders gained and lost rows
WITH `explode` AS (
  SELECT
    `orders`.`order_id` AS `orders_order_id`,
    `orders`.`status` AS `orders_status`,
    `__trickle_made_word` AS `__trickle_made_word`,
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
  LATERAL VIEW
  EXPLODE(SPLIT(`orders`.`status`, ' ')) __trickle_made_rows AS `__trickle_made_word`
)
SELECT
  `explode`.`orders_order_id` AS `order_id`,
  `explode`.`__trickle_made_word` AS `word`,
  `explode`.`__trickle_weight` AS `__trickle_weight`
FROM `explode`
