-- Inside its step a recursion reads the rows that the round before has made.
--   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n
WITH RECURSIVE `values` AS (
  SELECT
    1 AS `one_row`
), `recursion` AS (
  SELECT
    1 AS `i`
  FROM `values`
  UNION ALL
  SELECT
    `round`.`i` + 1 AS `i`
  FROM `recursion` AS `round`
  WHERE
    `round`.`i` < 9
)
SELECT
  `recursion`.`i` AS `i`
FROM `recursion`
