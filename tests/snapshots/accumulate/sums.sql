-- What the stored states of every touched group gain or lose; groups whose states stay are left out.
--   SELECT customer_id, SUM(amount) AS total FROM shop.orders GROUP BY customer_id
-- shop.orders gained and lost rows
SELECT
  `orders`.`customer_id` AS `orders_customer_id_2`,
  SUM(`orders`.`__trickle_weight`) AS `__trickle_rows`,
  CAST(COALESCE(
    SUM(
      CASE
        WHEN NOT `orders`.`amount` IS NULL
        THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
        ELSE NULL
      END
    ),
    0
  ) AS DECIMAL(20, 2)) AS `__trickle_sum_sum`,
  SUM(
    CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
  ) AS `__trickle_sum_count`
FROM (
  SELECT
    `order_id`,
    `customer_id`,
    `status`,
    `amount`,
    CASE WHEN `_change_type` IN ('insert', 'update_postimage') THEN 1 ELSE -1 END AS `__trickle_weight`
  FROM TABLE_CHANGES('`shop`.`orders`', 8, 9)
) AS `orders`
GROUP BY
  1
HAVING
  SUM(`orders`.`__trickle_weight`) <> 0
  OR CAST(COALESCE(
    SUM(
      CASE
        WHEN NOT `orders`.`amount` IS NULL
        THEN CAST(`orders`.`amount` AS DECIMAL(10, 2)) * CAST(`orders`.`__trickle_weight` AS INT)
        ELSE NULL
      END
    ),
    0
  ) AS DECIMAL(20, 2)) <> 0
  OR SUM(
    CASE WHEN NOT `orders`.`amount` IS NULL THEN `orders`.`__trickle_weight` ELSE 0 END
  ) <> 0
