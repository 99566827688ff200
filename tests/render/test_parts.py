"""What many read is computed once before the statement, so that what Spark plans does not double at every level."""

from __future__ import annotations

from sqlglot import exp

from tests.facts import compiled
from tests.snapshots.shop import CONTRACT, last_stamp, probes, resolve
from trickle import Options, RefreshMode, Request, Target, plan_refresh
from trickle.apply.materialized_parts import take_stages
from trickle.apply.price import MANY, WORTH
from trickle.apply.steps import Stage, Write
from trickle.catalog.happened import Changed
from trickle.sql.parse import parse_select

DEEP = """SELECT x.id, x.n FROM (
    SELECT customer_id AS id, COUNT(*) AS n FROM shop.orders GROUP BY customer_id
    UNION SELECT customer_id, 0 FROM shop.customers
) AS x
FULL JOIN (
    SELECT y.id, COUNT(*) AS n FROM (
        SELECT customer_id AS id FROM shop.orders EXCEPT SELECT customer_id FROM shop.customers
    ) AS y GROUP BY y.id
) AS z ON x.id = z.id
WHERE x.n > (SELECT COUNT(*) FROM shop.orders AS o WHERE o.customer_id = x.id)"""
FLAT = "SELECT customer_id, COUNT(*) AS n FROM shop.orders GROUP BY customer_id"


def doubling(levels: int) -> exp.Query:
    """A query that Spark plans as 2 ** levels relations."""
    ctes = ["c0 AS (SELECT a.x FROM s.t AS a JOIN s.t AS b ON a.x = b.x)"]
    ctes += [
        f"c{one} AS (SELECT a.x FROM c{one - 1} AS a JOIN c{one - 1} AS b ON a.x = b.x)" for one in range(1, levels)
    ]
    return parse_select(f"WITH {', '.join(ctes)} SELECT x FROM c{levels - 1}")


def planned(tree: exp.Query) -> int:
    """Relations of a query with every CTE written where it is read."""
    ctes = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}

    def count(query: exp.Expr) -> int:
        inside = {id(one) for clause in query.find_all(exp.With) for one in clause.find_all(exp.Table)}
        tables = [one for one in query.find_all(exp.Table) if id(one) not in inside]
        return sum(count(ctes[one.name]) if not one.db and one.name in ctes else 1 for one in tables)

    return count(tree)


def refresh_of(sql: str, stages: bool = True) -> tuple[tuple[Stage, ...], Write]:
    """The stages and the statement of a refresh in which every source has changed."""
    view = compiled(sql, resolve, None, Options(refresh_mode=RefreshMode.INCREMENTAL))
    target = Target(("shop", "example"), ("shop", "example__trickle"), rows=1000, exists=True)
    seen = probes(view, {one.name: Changed for one in view.sources})
    plan = plan_refresh(
        view, target, last_stamp(view), seen, Request("model.shop.example", 2_000, CONTRACT, stages=stages)
    )
    (statement,) = plan.writes
    assert isinstance(statement, Write)
    return plan.stages, statement


def test_what_doubles_is_taken_apart() -> None:
    """No part and no statement is planned as more than a few relations, and each reads parts before it only."""
    tree = doubling(12)
    assert planned(tree) == 2**12

    parts = take_stages(tree)

    known: set[str] = set()
    for part in parts:
        query = parse_select(part.query)
        assert planned(query) < MANY
        assert {one.name for one in query.find_all(exp.Table) if one.name.startswith("__trickle")} <= known
        known.add(part.name)
    assert planned(tree) < MANY
    assert len(parts) <= 12


def test_a_small_statement_stays_whole() -> None:
    """A part is one more job: what Spark plans easily is not worth one."""
    assert take_stages(doubling(3)) == ()
    assert refresh_of(FLAT)[0] == ()


def test_a_deep_refresh_is_taken_apart() -> None:
    """Its parts are worth it, and nothing that is left in the statement is planned again and again."""
    stages, statement = refresh_of(DEEP)

    assert stages
    assert all(stage.query.count("FROM") >= WORTH / 2 for stage in stages)
    assert all(f"`{stage.name}`" in "".join([statement.sql, *(one.query for one in stages)]) for stage in stages)


def test_without_temporary_parts_a_statement_stays_whole() -> None:
    """A session that keeps no rows under a name runs the same refresh in one statement."""
    stages, statement = refresh_of(DEEP, stages=False)

    assert stages == ()
    assert "__trickle_part" not in statement.sql


def test_a_recursion_is_left_whole() -> None:
    """A CTE that reads itself has no rows of its own outside of its statement."""
    tree = doubling(12)
    tree.args["with_"].set("recursive", True)
    assert take_stages(tree) == ()
