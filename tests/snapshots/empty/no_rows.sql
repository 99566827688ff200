-- No rows, with the right columns. A refresh whose change is empty prints nothing: it is NO_DATA.
--   SELECT order_id, amount FROM shop.orders WHERE status = 'paid'
SELECT
  CAST(NULL AS BIGINT) AS `order_id`,
  CAST(NULL AS DECIMAL(10, 2)) AS `amount`
WHERE
  FALSE
