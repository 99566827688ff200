-- The rows of a recursion as the storage holds them beside what users see, each as often as it occurs.
--   WITH RECURSIVE tree AS (
--     SELECT part_id, 0 AS depth FROM shop.parts WHERE inside IS NULL
--     UNION ALL
--     SELECT p.part_id, t.depth + 1 FROM shop.parts AS p JOIN tree AS t ON p.inside = t.part_id
--   )
--   SELECT depth, COUNT(*) AS parts FROM tree GROUP BY depth
-- shop.parts gained and lost rows
SELECT
  `kept`.`part_id_2` AS `part_id_2`,
  `kept`.`depth_2` AS `depth_2`,
  `kept`.`level` AS `level`
FROM (
  SELECT
    `__trickle_key_3` AS `part_id_2`,
    `__trickle_key_4` AS `depth_2`,
    `__trickle_key_5` AS `level`
  FROM `shop`.`example__trickle`
  LATERAL VIEW
  EXPLODE(ARRAY_REPEAT(0, CAST(`__trickle_rows` AS INT))) __trickle_copies AS `__trickle_copy`
  WHERE
    `__trickle_key_1` = 1
) AS `kept`
