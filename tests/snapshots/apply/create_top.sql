-- A first build of the first rows of an order: those that are shown and as many to spare, a hundred at least.
--   SELECT order_id FROM shop.orders ORDER BY amount DESC LIMIT 10
-- create: build the table
SELECT
  `order_id` AS `order_id`,
  CAST(GREATEST(
    LEAST(`__trickle_through`, 10) - GREATEST(`__trickle_through` - `__trickle_rows`, 0),
    0
  ) AS BIGINT) AS `__trickle_count`,
  `__trickle_order_1` AS `__trickle_order_1`,
  CAST(`__trickle_rows` AS BIGINT) AS `__trickle_rows`,
  CAST(`__trickle_known` AS INT) AS `__trickle_known`
FROM (
  SELECT
    *,
    CASE
      WHEN `__trickle_total` <= 110
      THEN 2
      WHEN MAX(`__trickle_through` - `__trickle_rows`) OVER () >= 10
      THEN 1
      ELSE 0
    END AS `__trickle_known`
  FROM (
    SELECT
      *,
      SUM(`__trickle_rows`) OVER (
        ORDER BY `__trickle_order_1` DESC, `order_id` ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS `__trickle_through`,
      SUM(`__trickle_rows`) OVER () AS `__trickle_total`
    FROM (
      SELECT
        `order_id`,
        `__trickle_order_1`,
        COUNT(*) AS `__trickle_rows`
      FROM (
        SELECT
          *
        FROM (
          SELECT
            `orders`.`order_id` AS `order_id`,
            `orders`.`amount` AS `__trickle_order_1`
          FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
        ) AS `input`
        ORDER BY
          `__trickle_order_1` DESC,
          `order_id` ASC
        LIMIT 111
      ) AS `first_rows`
      GROUP BY
        1,
        2
    ) AS `counted`
  ) AS `ranked`
) AS `ranked`
WHERE
  NOT (
    `__trickle_known` = 1 AND `__trickle_through` = `__trickle_total`
  );

-- facade: the view users read
SELECT
  `order_id`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`;
