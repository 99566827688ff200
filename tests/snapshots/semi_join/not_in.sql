-- NOT IN is an anti join in which a comparison that is NULL counts as a match.
--   SELECT name FROM shop.customers WHERE customer_id NOT IN (SELECT customer_id FROM shop.orders)
-- shop.orders gained and lost rows
WITH `scan` AS (
  SELECT
    `customers`.`customer_id` AS `customers_customer_id`,
    `customers`.`name` AS `customers_name`
  FROM `shop`.`customers` VERSION AS OF 4 AS `customers`
), `touched_keys` AS (
  SELECT DISTINCT
    `orders`.`customer_id` AS `customer_id`
  FROM (
    SELECT
      `order_id`,
      `customer_id`,
      `status`,
      `amount`,
      CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
    FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
  ) AS `orders`
), `semi_join` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `scan`.`customers_customer_id` AS `customers_customer_id`,
    `scan`.`customers_name` AS `customers_name`
  FROM `scan`
  LEFT SEMI JOIN `touched_keys`
    ON (
      `scan`.`customers_customer_id` = `touched_keys`.`customer_id`
      OR (
        `scan`.`customers_customer_id` = `touched_keys`.`customer_id`
      ) IS NULL
    )
), `project` AS (
  SELECT
    `orders_2`.`customer_id` AS `customer_id`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders_2`
), `project_2` AS (
  SELECT
    `orders_3`.`customer_id` AS `customer_id`
  FROM `shop`.`orders` VERSION AS OF 9 AS `orders_3`
), `union_all` AS (
  SELECT
    `semi_join`.`customers_customer_id` AS `customers_customer_id`,
    `semi_join`.`customers_name` AS `customers_name`,
    -1 AS `__trickle_weight`
  FROM `semi_join`
  LEFT ANTI JOIN `project`
    ON (
      `semi_join`.`customers_customer_id` = `project`.`customer_id`
      OR (
        `semi_join`.`customers_customer_id` = `project`.`customer_id`
      ) IS NULL
    )
  UNION ALL
  SELECT
    `semi_join_2`.`customers_customer_id` AS `customers_customer_id`,
    `semi_join_2`.`customers_name` AS `customers_name`,
    1 AS `__trickle_weight`
  FROM `semi_join` AS `semi_join_2`
  LEFT ANTI JOIN `project_2`
    ON (
      `semi_join_2`.`customers_customer_id` = `project_2`.`customer_id`
      OR (
        `semi_join_2`.`customers_customer_id` = `project_2`.`customer_id`
      ) IS NULL
    )
)
SELECT
  `union_all`.`customers_name` AS `name`,
  `union_all`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all`
