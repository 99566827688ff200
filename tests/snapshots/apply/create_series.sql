-- A first build of windows over all rows: each row with its answer, equal rows numbered.
--   SELECT order_id, amount, RANK() OVER (ORDER BY amount DESC) AS place FROM shop.orders
-- create: build the table
SELECT
  `order_id` AS `order_id`,
  `amount` AS `amount`,
  `__trickle_window_1` AS `place`,
  CAST(1 AS BIGINT) AS `__trickle_count`,
  `__trickle_twin` AS `__trickle_twin`
FROM (
  SELECT
    `order_id`,
    `amount`,
    `__trickle_twin`,
    RANK() OVER (ORDER BY `amount` DESC) AS `__trickle_window_1`
  FROM (
    SELECT
      *
    FROM (
      SELECT
        *
      FROM (
        SELECT
          `order_id`,
          `amount`,
          CAST(SUM(`__trickle_copies`) AS BIGINT) AS `__trickle_copies`
        FROM (
          SELECT
            `order_id`,
            `amount`,
            1 AS `__trickle_copies`
          FROM (
            SELECT
              `orders`.`order_id` AS `order_id`,
              `orders`.`amount` AS `amount`
            FROM `shop`.`orders` VERSION AS OF 7 AS `orders`
          ) AS `input`
        ) AS `parts`
        GROUP BY
          1,
          2
      ) AS `counted`
      WHERE
        `__trickle_copies` > 0
    ) AS `present`
    LATERAL VIEW
    EXPLODE(SEQUENCE(1, CAST(`__trickle_copies` AS INT))) __trickle_twins AS `__trickle_twin`
  ) AS `rows`
) AS `answered`;

-- facade: the view users read
SELECT
  `order_id`,
  `amount`,
  `place`
FROM `shop`.`example__trickle`
LATERAL VIEW
EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_count` AS INT))) __trickle_copies AS `__trickle_copy`;
