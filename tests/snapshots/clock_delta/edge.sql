-- A day has gone by: the visits of the day that fell out of the week are looked up, and taken away.
--   SELECT customer_id, day FROM shop.visits WHERE day > current_date() - INTERVAL 7 DAYS
SELECT
  `visits`.`customer_id` AS `customer_id`,
  `visits`.`day` AS `day`,
  CASE
    WHEN COALESCE(`visits`.`day` > CAST('2026-03-29' AS DATE) - INTERVAL '7' DAYS, FALSE)
    THEN CAST(1 AS INT)
    ELSE CAST(-1 AS INT)
  END AS `__trickle_weight`
FROM `shop`.`visits` VERSION AS OF 2 AS `visits`
WHERE
  `visits`.`day` BETWEEN LEAST(
    CAST('2026-03-28' AS DATE) - INTERVAL '7' DAYS,
    CAST('2026-03-29' AS DATE) - INTERVAL '7' DAYS
  ) AND GREATEST(
    CAST('2026-03-28' AS DATE) - INTERVAL '7' DAYS,
    CAST('2026-03-29' AS DATE) - INTERVAL '7' DAYS
  )
  AND COALESCE(`visits`.`day` > CAST('2026-03-28' AS DATE) - INTERVAL '7' DAYS, FALSE) <> COALESCE(`visits`.`day` > CAST('2026-03-29' AS DATE) - INTERVAL '7' DAYS, FALSE)
