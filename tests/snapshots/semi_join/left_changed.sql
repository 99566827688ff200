-- Only the left side changed: those of its changed rows that have a match.
--   SELECT c.name
--   FROM shop.customers AS c
--   WHERE EXISTS (SELECT 1 FROM shop.orders AS o WHERE o.customer_id = c.customer_id AND o.status = 'paid')
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
), `touched_keys` AS (
  SELECT DISTINCT
    `feed_2`.`c_customer_id` AS `match_1`
  FROM `feed` AS `feed_2`
), `filter` AS (
  SELECT /*+ BROADCAST(`touched_keys`) */
    `o`.`customer_id` AS `o_customer_id`,
    `o`.`status` AS `o_status`
  FROM `shop`.`orders` VERSION AS OF 7 AS `o`
  LEFT SEMI JOIN `touched_keys`
    ON `o`.`customer_id` IS NOT DISTINCT FROM `touched_keys`.`match_1`
  WHERE
    `o`.`status` = 'paid'
)
SELECT /*+ BROADCAST(`filter`) */
  `feed`.`c_name` AS `name`,
  `feed`.`__trickle_weight` AS `__trickle_weight`
FROM `feed`
LEFT SEMI JOIN `filter`
  ON `filter`.`o_customer_id` = `feed`.`c_customer_id`
