"""keep_recursions: how the rows of recursions are stored beside what users see."""

from __future__ import annotations

from typing import Optional

from tests.operators.plans import ORDERS, named, scalar
from tests.operators.test_recursion import tree
from tests.passes.test_part_conditions import asking
from trickle.layouts.groups import Groups
from trickle.layouts.stored_recursions import store_recursions
from trickle.operators import Aggregate, Filter, Join, Project, Recursion, UnionAll
from trickle.options import FloatSums
from trickle.plan.op import Op, walk
from trickle.plan.schema import Column, Schema
from trickle.plan.show import show
from trickle.sql.text import to_line


def kept(plan: Op, *names: str) -> Optional[Groups]:
    visible = Schema(tuple(Column(name, "int") for name in names))
    return store_recursions(plan, visible, FloatSums.EXACT)


def stored(plan: Op, *names: str) -> Groups:
    found = kept(plan, *names)
    assert found is not None
    return found


def outline(op: Op) -> str:
    """The plan as text; of a recursion only its name."""
    lines, inside = [], 10**6
    for line in show(op).replace("`", "").splitlines():
        depth = len(line) - len(line.lstrip())
        if depth > inside:
            continue
        inside = depth if line.lstrip().startswith("Recursion") else 10**6
        lines.append(line)
    return "\n".join(lines)


def condition(found: Groups) -> str:
    return "" if found.condition is None else to_line(found.condition.tree).replace("`", "")


def test_nothing_is_kept_where_nothing_recurs_over_tables() -> None:
    """A recursion over no table is computed again wherever it is read."""
    assert kept(ORDERS, "id", "amount") is None


def test_a_view_that_is_a_recursion_stores_its_rows_once() -> None:
    """Equal rows are a group, shown as often as they occur; what is projected and asked is computed of them."""
    plain = stored(tree(), "node", "level")
    assert outline(plain.aggregate) == "Aggregate(node, level)\n  Recursion(tree; level; 1)"
    assert condition(plain) == "" and plain.repeats
    assert [(one.name, one.columns, one.kind) for one in plain.stored_recursions] == [
        ("1", (("node", "node"), ("level", "level")), None)
    ]

    above = stored(Filter(Project(tree(), (named("n", "node"),)), scalar("n > 1")), "shown")
    assert outline(above.aggregate) == outline(plain.aggregate)
    assert condition(above) == "node > 1" and above.repeats
    assert [(one.name, one.value.text) for one in above.outputs] == [("shown", "`node`")]


def test_a_grouping_is_stored_beside_the_rows_it_groups() -> None:
    """Told apart by a kind: 0 is what users see, and each has NULLs in the columns of the other."""
    grouped = Aggregate(tree(), (named("level"),), (named("c", "COUNT(*)"), named("s", "SUM(node + level)")))
    found = stored(grouped, "level", "c", "s")

    assert outline(found.aggregate) == (
        "Aggregate(__trickle_kind, level, __trickle_kept_1_1, __trickle_kept_1_2;"
        " COUNT(*) AS c, SUM(__trickle_argument_2 + __trickle_argument_1) AS s)\n"
        "  UnionAll\n"
        "    Project(0 AS __trickle_kind, level, level AS __trickle_argument_1, node AS __trickle_argument_2,"
        " CAST(NULL AS INT) AS __trickle_kept_1_1, CAST(NULL AS INT) AS __trickle_kept_1_2)\n"
        "      Recursion(tree; level; 1)\n"
        "    Project(1 AS __trickle_kind, CAST(NULL AS INT) AS level, CAST(NULL AS INT) AS __trickle_argument_1,"
        " CAST(NULL AS INT) AS __trickle_argument_2, node AS __trickle_kept_1_1, level AS __trickle_kept_1_2)\n"
        "      Recursion(tree; level; 1)"
    )
    assert condition(found) == "__trickle_kind = 0" and not found.repeats
    having = stored(Filter(grouped, scalar("c > 1 OR s > 2")), "level", "c", "s")
    assert condition(having) == "__trickle_kind = 0 AND (c > 1 OR s > 2)"


def test_a_total_has_a_row_that_counts_for_nothing() -> None:
    """It is one row even over no rows."""
    total = Aggregate(
        tree(), (), (named("c", "COUNT(*)"), named("s", "SUM(node) FILTER (WHERE level > 1 OR node > 2)"))
    )
    found = stored(total, "c", "s")

    assert outline(found.aggregate) == (
        "Aggregate(__trickle_kind, __trickle_kept_1_1, __trickle_kept_1_2;"
        " COUNT(*) FILTER(WHERE __trickle_argument_1) AS c,"
        " SUM(__trickle_argument_3) FILTER(WHERE __trickle_argument_1"
        " AND (__trickle_argument_2 > 1 OR __trickle_argument_3 > 2)) AS s)\n"
        "  UnionAll\n"
        "    Project(0 AS __trickle_kind, __trickle_real AS __trickle_argument_1, level AS __trickle_argument_2,"
        " node AS __trickle_argument_3,"
        " CAST(NULL AS INT) AS __trickle_kept_1_1, CAST(NULL AS INT) AS __trickle_kept_1_2)\n"
        "      UnionAll\n"
        "        Project(node, level, TRUE AS __trickle_real)\n"
        "          Recursion(tree; level; 1)\n"
        "        Values(node, level, __trickle_real; CAST(NULL AS INT), CAST(NULL AS INT), FALSE)\n"
        "    Project(1 AS __trickle_kind, CAST(NULL AS BOOLEAN) AS __trickle_argument_1,"
        " CAST(NULL AS INT) AS __trickle_argument_2, CAST(NULL AS INT) AS __trickle_argument_3,"
        " node AS __trickle_kept_1_1, level AS __trickle_kept_1_2)\n"
        "      Recursion(tree; level; 1)"
    )


def test_columns_whose_type_nobody_knows_are_plain_nulls() -> None:
    """There is nothing to cast to."""
    nothing = Project(tree(), (named("node"), named("level"), named("nil", "NULL")))
    assert nothing.schema["nil"].type in ("void", "")
    total = Aggregate(nothing, (), (named("c", "COUNT(nil)"),))

    values = [line.strip() for line in outline(stored(total, "c").aggregate).splitlines() if "Values" in line]
    assert values == ["Values(node, level, nil, __trickle_real; CAST(NULL AS INT), CAST(NULL AS INT), NULL, FALSE)"]


def test_two_recursions_are_kept_apart() -> None:
    """Each by a name and a kind of its own, beside the rows of the view."""
    ours = Filter(Project(tree(), (named("a", "node"),)), scalar("a > 0"))
    met = Join(ours, Project(tree(), (named("b", "node"),)), scalar("a = b"))
    found = stored(met, "a", "b")

    assert [(one.name, one.kind) for one in found.stored_recursions] == [("1", 1), ("2", 2)]
    assert found.stored_recursions[1].columns == (("node", "__trickle_kept_2_1"), ("level", "__trickle_kept_2_2"))
    assert {op.slot for op in walk(found.aggregate) if isinstance(op, Recursion)} == {"1", "2"}
    union = found.aggregate.child
    assert isinstance(union, UnionAll)
    assert [outline(branch).partition(" AS")[0] for branch in union.inputs] == [f"Project({kind}" for kind in range(3)]
    assert condition(found) == "__trickle_kind = 0" and found.repeats


def test_one_of_two_recursions_at_the_end_is_not_alone() -> None:
    """A step that reads another recursion: both must be kept."""
    inner = tree()
    outer = tree()
    again = Recursion(
        outer.anchor, Join(outer.step, Project(inner, (named("i", "node"),)), scalar("node = i")), "t", "level"
    )
    shown = Project(Project(again, (named("node"),)), (named("n", "node"),))
    found = stored(shown, "n")

    assert [one.kind for one in found.stored_recursions] == [1, 2]


def test_what_asks_the_clock_is_stored_as_rows() -> None:
    """Stored groups would have to follow an instant of which no row tells."""
    grouped = Aggregate(tree(), (named("level"),), (named("c", "COUNT(*)"),))
    late = stored(Filter(grouped, asking("c > now")), "level", "c")
    assert late.repeats and outline(late.aggregate).startswith("Aggregate(__trickle_kind, level, c, __trickle_kept_1_1")

    timed = stored(Filter(tree(), asking("node > now")), "node", "level")
    assert timed.stored_recursions[0].kind == 1, "not the recursion's own rows"
