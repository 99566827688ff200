-- A table joined with itself is two sides with the same change.
--   SELECT a.order_id, b.order_id AS twin
--   FROM shop.orders AS a
--   JOIN shop.orders AS b ON b.customer_id = a.customer_id AND b.order_id > a.order_id
-- shop.orders gained and lost rows
WITH `union_all` AS (
  SELECT /*+ BROADCAST(`a`) */
    `a`.`order_id` AS `a_order_id`,
    `a`.`customer_id` AS `a_customer_id`,
    `b`.`order_id` AS `b_order_id`,
    `b`.`customer_id` AS `b_customer_id`,
    `a`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `a`
  JOIN `shop`.`orders` VERSION AS OF 9 AS `b`
    ON `b`.`customer_id` = `a`.`customer_id` AND `b`.`order_id` > `a`.`order_id`
  UNION ALL
  SELECT /*+ BROADCAST(`b_2`) */
    `a_2`.`order_id` AS `a_order_id`,
    `a_2`.`customer_id` AS `a_customer_id`,
    `b_2`.`order_id` AS `b_order_id`,
    `b_2`.`customer_id` AS `b_customer_id`,
    `b_2`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `b_2`
  JOIN `shop`.`orders` VERSION AS OF 7 AS `a_2`
    ON `b_2`.`customer_id` = `a_2`.`customer_id` AND `b_2`.`order_id` > `a_2`.`order_id`
)
SELECT
  `union_all`.`a_order_id` AS `order_id`,
  `union_all`.`b_order_id` AS `twin`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
