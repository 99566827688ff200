-- Only the left side changed: its changed rows, joined with the right side as it is.
--   SELECT c.name, o.order_id
--   FROM shop.customers AS c
--   LEFT JOIN shop.orders AS o ON o.customer_id = c.customer_id
-- shop.customers gained and lost rows
WITH `feed` AS (
  SELECT
    `c`.`customer_id` AS `c_customer_id`,
    `c`.`name` AS `c_name`,
    `c`.`__trickle_weight` AS `__trickle_weight`
  FROM (
    SELECT
      `customer_id`,
      `name`,
      `country`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`customers`', 5, 6)
  ) AS `c`
), `scan` AS (
  SELECT
    `o`.`order_id` AS `o_order_id`,
    `o`.`customer_id` AS `o_customer_id`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o`
)
SELECT
  `feed`.`c_name` AS `name`,
  `scan`.`o_order_id` AS `order_id`,
  `feed`.`__trickle_weight` AS `__trickle_weight`
FROM `feed`
LEFT JOIN `scan`
  ON `scan`.`o_customer_id` = `feed`.`c_customer_id`
