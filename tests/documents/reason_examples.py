"""For every reason to recompute, a query over the shop (tests/snapshots/shop.py) that meets it."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "value_of_no_rows": "SELECT c.name, (SELECT BITMAP_CONSTRUCT_AGG(BITMAP_BIT_POSITION(o.order_id)) "
    "FROM shop.orders AS o WHERE o.customer_id = c.customer_id) AS bits FROM shop.customers AS c",
    "in_as_value": "SELECT order_id FROM (SELECT order_id, customer_id IN (SELECT customer_id FROM shop.customers) AS "
    "known FROM shop.orders) AS o WHERE NOT known",
    "window_total": "SELECT order_id, amount / SUM(amount) OVER () AS share FROM shop.orders",
    "window_over_everything": "SELECT c.name, o.place FROM shop.customers AS c JOIN (SELECT customer_id, "
    "ROW_NUMBER() OVER (ORDER BY amount) AS place FROM shop.orders) AS o USING (customer_id)",
    "window_ties": "SELECT COLLECT_LIST(status) OVER (PARTITION BY customer_id ORDER BY amount) AS s FROM shop.orders",
    "recursion_step": "WITH RECURSIVE t AS (SELECT part_id FROM shop.parts WHERE inside IS NULL UNION ALL "
    "SELECT DISTINCT p.part_id FROM shop.parts AS p JOIN t ON p.inside = t.part_id) SELECT part_id FROM t",
    "recursion_cut": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 9",
    "recursion_not_kept": "WITH RECURSIVE t AS (SELECT part_id, 0 AS depth FROM shop.parts WHERE inside IS NULL "
    "UNION ALL SELECT p.part_id, depth + 1 FROM shop.parts AS p JOIN t ON p.inside = t.part_id) "
    "SELECT part_id, depth FROM t ORDER BY depth DESC LIMIT 3",
    "pivot": "SELECT * FROM shop.orders PIVOT (SUM(amount) FOR status IN (UPPER('paid'), 'open'))",
    "row_generator": "SELECT order_id FROM shop.orders "
    "WHERE WINDOW(CAST(status AS TIMESTAMP), '1 day').start > DATE'2026-01-01'",
    "sessions": "SELECT session_window.start, COUNT(*) AS n "
    "FROM (SELECT TIMESTAMP'2026-01-01 00:00:00' AS at FROM shop.orders) GROUP BY session_window(at, '5 minutes')",
    "table_function": "SELECT word FROM SQL_KEYWORDS() AS k(word, reserved)",
    "left_lateral_without_on": "SELECT o.order_id, w.word FROM shop.orders AS o "
    "LEFT JOIN LATERAL EXPLODE(SPLIT(o.status, ' ')) AS w(word)",
    "sample": "SELECT order_id FROM shop.orders TABLESAMPLE (10 PERCENT)",
    "time_travel": "SELECT order_id FROM shop.orders VERSION AS OF 3",
    "volatile_function": "SELECT order_id, UUID() AS tag FROM shop.orders",
    "clock_function": "SELECT order_id, CURRENT_TIME() AS at FROM shop.orders",
    "session_function": "SELECT order_id, CURRENT_USER() AS reader FROM shop.orders",
    "unknown_function": "SELECT order_id, house_rule(amount) AS ruled FROM shop.orders",
    "order_sensitive_aggregate": "SELECT customer_id, APPROX_TOP_K(status) AS s FROM shop.orders GROUP BY customer_id",
    "order_from_below": "SELECT customer_id, COLLECT_LIST(status) AS s "
    "FROM (SELECT * FROM shop.orders ORDER BY order_id) GROUP BY customer_id",
    "clause": "SELECT order_id FROM shop.orders SORT BY order_id LIMIT 9",
    "union_types": "SELECT CAST(amount AS DECIMAL(38, 0)) AS value FROM shop.orders "
    "UNION ALL SELECT CAST(amount AS DECIMAL(38, 20)) FROM shop.orders",
    "union_type_unknown": "SELECT CAST(status AS TIMESTAMP) AS at FROM shop.orders "
    "UNION ALL SELECT TO_TIMESTAMP(status) FROM shop.orders",
    "ambiguous_alias": "SELECT COALESCE(status, 'all') AS status, COUNT(*) AS n FROM shop.orders "
    "GROUP BY ROLLUP (status) HAVING status IS NULL",
    "unmatched_group_expression": "SELECT 1 + order_id AS next, COUNT(*) AS n FROM shop.orders GROUP BY order_id + 1",
    "unmergeable_type": "SELECT tags, COUNT(*) AS n FROM shop.events GROUP BY tags",
    "collation": "SELECT status COLLATE UTF8_LCASE AS status, COUNT(*) AS n FROM shop.orders GROUP BY 1",
    "file_metadata": "SELECT order_id, INPUT_FILE_NAME() AS file FROM shop.orders",
    "view_by_name": "SELECT day FROM shop.local_days",
    "not_versioned": "SELECT currency FROM shop.rates_csv",
    "too_deep": f"SELECT order_id FROM shop.orders WHERE {' OR '.join(f'amount = {one}' for one in range(301))}",
    "unresolved_name": "SELECT status.* FROM shop.orders",
}

WITHOUT_EXAMPLE = frozenset({"reads_differently", "only_spark_reads", "user_function"})
"""Found by asking Spark or its catalog, which are not here."""
