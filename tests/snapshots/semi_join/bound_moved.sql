-- An average that rows are compared with moved: of the other side only the rows between the old and the new.
--   SELECT order_id FROM shop.orders WHERE amount > (SELECT AVG(amount) FROM shop.old_orders)
-- shop.old_orders gained and lost rows
WITH `scan` AS (
  SELECT
    `orders`.`order_id` AS `orders_order_id`,
    `orders`.`amount` AS `orders_amount`
  FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
), `aggregate` AS (
  SELECT
    AVG(`old_orders`.`amount`) AS `avg`
  FROM `shop`.`old_orders` VERSION AS OF 3 AS `old_orders`
), `aggregate_2` AS (
  SELECT
    AVG(`old_orders_2`.`amount`) AS `avg`
  FROM `shop`.`old_orders` VERSION AS OF 5 AS `old_orders_2`
), `join` AS (
  SELECT
    `aggregate`.`avg` AS `__trickle_before_subquery`,
    `aggregate_2`.`avg` AS `__trickle_after_subquery`
  FROM `aggregate`
  CROSS JOIN `aggregate_2`
), `aggregate_3` AS (
  SELECT
    AVG(`old_orders_3`.`amount`) AS `avg`
  FROM `shop`.`old_orders` VERSION AS OF 3 AS `old_orders_3`
), `union_all` AS (
  SELECT
    `aggregate_3`.`avg` AS `avg`,
    -1 AS `__trickle_weight`
  FROM `aggregate_3`
  UNION ALL
  SELECT
    `aggregate_2_2`.`avg` AS `avg`,
    1 AS `__trickle_weight`
  FROM `aggregate_2` AS `aggregate_2_2`
), `consolidate` AS (
  SELECT
    `union_all`.`avg` AS `avg`,
    SUM(`union_all`.`__trickle_weight`) AS `__trickle_weight`
  FROM `union_all`
  GROUP BY
    1
  HAVING
    SUM(`union_all`.`__trickle_weight`) <> 0
), `touched_keys` AS (
  SELECT DISTINCT
    1 AS `any_row`
  FROM `consolidate`
), `semi_join` AS (
  SELECT
    `join`.`__trickle_before_subquery` AS `__trickle_before_subquery`,
    `join`.`__trickle_after_subquery` AS `__trickle_after_subquery`
  FROM `join`
  LEFT SEMI JOIN `touched_keys`
    ON TRUE
), `union_all_2` AS (
  SELECT
    `scan`.`orders_order_id` AS `orders_order_id`,
    `scan`.`orders_amount` AS `orders_amount`,
    -1 AS `__trickle_weight`
  FROM `scan`
  LEFT SEMI JOIN `semi_join`
    ON (
      `scan`.`orders_amount` > `semi_join`.`__trickle_before_subquery`
    )
    AND NOT COALESCE(`scan`.`orders_amount` > `semi_join`.`__trickle_after_subquery`, FALSE)
  UNION ALL
  SELECT
    `scan_2`.`orders_order_id` AS `orders_order_id`,
    `scan_2`.`orders_amount` AS `orders_amount`,
    1 AS `__trickle_weight`
  FROM `scan` AS `scan_2`
  LEFT SEMI JOIN `semi_join` AS `semi_join_2`
    ON (
      `scan_2`.`orders_amount` > `semi_join_2`.`__trickle_after_subquery`
    )
    AND NOT COALESCE(`scan_2`.`orders_amount` > `semi_join_2`.`__trickle_before_subquery`, FALSE)
)
SELECT
  `union_all_2`.`orders_order_id` AS `order_id`,
  `union_all_2`.`__trickle_weight` AS `__trickle_weight`
FROM `union_all_2`
