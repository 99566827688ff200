"""The laws of plans, each a function that raises when one example breaks it.

The tests call them, and so do the planted bugs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from tests.oracle.duck import answer, load
from tests.oracle.generate_plans import Example
from tests.oracle.interpret import interpret
from tests.oracle.storage import View, view_of
from tests.oracle.zset import ZSet
from trickle.delta.bound_scans import bound_scans
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.join_outward import join_outward
from trickle.delta.nonnegative import only_adds
from trickle.delta.passes import change_to_apply
from trickle.delta.push_restrictions import push_restrictions
from trickle.delta.simplify import simplify
from trickle.delta.table_reads import table_reads
from trickle.operators import (
    Aggregate,
    ClockDelta,
    Distinct,
    Empty,
    Feed,
    Join,
    MarkJoin,
    Moment,
    OuterJoin,
    Restrict,
    Scan,
    SemiJoin,
    StoredRecursion,
    TopK,
    Window,
)
from trickle.plan.op import Op, walk
from trickle.plan.read_class import ReadClass, worst
from trickle.plan.show import show
from trickle.render.render import render
from trickle.rewrite import REWRITES, Rewrite, rewrite
from trickle.sql.text import to_text


def delta_is_the_difference(example: Example) -> None:
    """⟦Δop⟧ = ⟦op⟧after − ⟦op⟧before, as the rules give it and again simplified."""
    database = example.world.database
    expected = interpret(example.plan, database) - interpret(example.plan, database.as_before())
    change = differentiate(example.plan, example.world.changed, example.world.changed_calls)

    same(interpret(change.delta, database), expected, "the delta")
    same(interpret(simplify(change.delta), database), expected, "the simplified delta")


def before_and_after_are_the_plan_at_its_moments(example: Example) -> None:
    """A change's `before` and `after` mean the plan itself at the two moments, read at the same time."""
    database = example.world.database
    change = differentiate(example.plan, example.world.changed, example.world.changed_calls)

    same(interpret(change.before, database), interpret(example.plan, database.as_before()), "before")
    same(interpret(change.after, database), interpret(example.plan, database), "after")


def simplify_keeps_bag_and_schema(example: Example) -> None:
    """Simplifying changes neither rows nor columns, and simplifying again changes nothing at all."""
    database = example.world.database
    delta = differentiate(example.plan, example.world.changed, example.world.changed_calls).delta
    for op in (example.plan, delta):
        simple = simplify(op)

        same(interpret(simple, database), interpret(op, database), "the simplified plan")
        assert simple.schema.names == op.schema.names
        assert simplify(simple) is simple, "a second simplification changed something"


def pushing_keeps_bag_and_schema(example: Example) -> None:
    """A restriction means the same wherever in the plan it stands."""
    database = example.world.database
    simple = simplify(differentiate(example.plan, example.world.changed, example.world.changed_calls).delta)
    pushed = push_restrictions(simple)

    same(interpret(pushed, database), interpret(simple, database), "the plan with its restrictions pushed down")
    assert pushed.schema.names == simple.schema.names


def joining_outward_keeps_bag_and_schema(example: Example) -> None:
    """The terms of a join's change mean the same in whatever order their tables are met."""
    world = example.world
    simple = simplify(differentiate(example.plan, world.changed, world.changed_calls).delta)
    outward = join_outward(simple, world.counts)

    same(interpret(outward, world.database), interpret(simple, world.database), f"joined outward\n{show(outward)}")
    assert outward.schema.names == simple.schema.names


def bounding_keeps_bag_and_schema(example: Example) -> None:
    """Literals at the scans, as narrow as statistics can be, leave out nothing that a change needs."""
    database = example.world.database
    pushed = push_restrictions(simplify(differentiate(example.plan, example.world.changed).delta))
    bounded = bound_scans(pushed, example.world.statistics)

    same(interpret(bounded, database), interpret(pushed, database), f"the plan with bounded scans\n{show(bounded)}")
    assert bounded.schema.names == pushed.schema.names


def rewrites_keep_bag_and_schema(example: Example) -> None:
    """Each rewrite alone, and all in a row, leave rows and columns as they were; run again they change nothing."""
    database = example.world.database
    expected = interpret(example.plan, database)
    rules: tuple[tuple[str, Rewrite], ...] = (*REWRITES, ("all rewrites", rewrite))
    for name, rule in rules:
        once = rule(example.plan)

        same(interpret(once, database), expected, name)
        assert once.schema.names == example.plan.schema.names, name
        assert show(rule(once)) == show(once), f"{name} run again changed\n{show(once)}"


def nothing_changed_is_empty(example: Example) -> None:
    """Where no source changed there is nothing to do, and a delta reads no change of a source that has none."""
    change = differentiate(example.plan, {})

    assert isinstance(simplify(change.delta), Empty)
    assert change.before is change.after

    changed = example.world.changed
    for op in walk(simplify(differentiate(example.plan, changed, example.world.changed_calls).delta)):
        assert not isinstance(op, Feed) or op.source in changed
        assert not isinstance(op, Scan) or op.at is Moment.AFTER or op.source in changed
        assert not isinstance(op, ClockDelta) or example.world.changed_calls


def nothing_empty_is_left_inside(example: Example) -> None:
    """A simplified plan is empty, or reads nothing empty — except a grand total, which has a row even for no rows."""
    for op in walk(simplify(differentiate(example.plan, example.world.changed, example.world.changed_calls).delta)):
        holds_empty = any(isinstance(child, Empty) for child in op.children)
        assert not holds_empty or (isinstance(op, Aggregate) and not op.keys), type(op).__name__


def only_adds_never_removes(example: Example) -> None:
    """A delta said to only add rows has no negative weight."""
    delta = simplify(differentiate(example.plan, example.world.changed, example.world.changed_calls).delta)

    assert not only_adds(delta) or interpret(delta, example.world.database).is_bag


def what_is_by_change_is_only_met(example: Example) -> None:
    """A refresh by change groups, orders and numbers no table; each is joined with what holds a change."""
    view = view_of(example.plan)
    change = view.change(example.world)
    for plan in (change.delta, *view.layout.read_again(change, {})):
        if worst(read.read_class for read in table_reads(plan)) is not ReadClass.BY_CHANGE:
            continue
        for op in walk(plan):
            if isinstance(op, (Aggregate, Distinct, TopK, Window)):
                assert not _tables(op), f"{type(op).__name__} reads a table in\n{show(plan)}"
            if isinstance(op, (MarkJoin, OuterJoin, SemiJoin)):
                assert op.left.signed or not _tables(op), f"{type(op).__name__} matches a table in\n{show(plan)}"
            if isinstance(op, Join):
                changed = any(part.signed for part in walk(op))
                assert changed or not _tables(op), f"two tables are joined in\n{show(plan)}"
        assert not _tables(plan, below_joins=False), f"a table is read by itself in\n{show(plan)}"


def all_sources_at_once_read_no_more(example: Example) -> None:
    """The worst class of one source after the other is that of their changes together."""
    view = view_of(example.plan)
    sources = {op.source: SourceChange() for op in walk(view.root) if isinstance(op, Scan)}
    each = worst(_class_of(view, {source: change}) for source, change in sources.items())

    assert worst((each, _class_of(view, sources))) is each, show(view.root)


def _class_of(view: View, changed: Mapping[str, SourceChange]) -> ReadClass:
    change = change_to_apply(view.root, changed)
    plans = (change.delta, *view.layout.read_again(change, {}))
    return worst(read.read_class for plan in plans for read in table_reads(plan))


def _tables(root: Op, below_joins: bool = True) -> list[Op]:
    """The tables a plan reads, without those of the keys that restrict it."""
    if isinstance(root, (Scan, StoredRecursion)):
        return [root]
    if not below_joins and isinstance(root, (Join, MarkJoin, OuterJoin, SemiJoin)):
        return []
    children = (root.child,) if isinstance(root, Restrict) else root.children
    return [table for child in children for table in _tables(child, below_joins)]


def rendered_is_interpreted(example: Example) -> None:
    """The rendered SQL of a plan and of its delta gives on DuckDB what the interpreter gives."""
    database = example.world.database
    binding = load(example.world)
    delta = simplify(differentiate(example.plan, example.world.changed, example.world.changed_calls).delta)
    for op in (example.plan, delta):
        query = render(op, binding)

        same(answer(query, op.signed), interpret(op, database), partial(to_text, query))
        assert to_text(query) == to_text(render(op, binding)), "rendering twice gives two texts"


def plans_are_never_altered(example: Example) -> None:
    """Differentiating, simplifying and rendering leave the plan they are given as it was."""
    given = picture(example.plan)
    change = differentiate(example.plan, example.world.changed, example.world.changed_calls)
    derived = [picture(op) for op in (change.before, change.after, change.delta)]
    simple = simplify(change.delta)
    simplified = picture(simple)
    binding = load(example.world)
    for op in (example.plan, change.before, change.after, change.delta, simple, push_restrictions(simple)):
        render(op, binding)

    assert picture(example.plan) == given
    assert [picture(op) for op in (change.before, change.after, change.delta)] == derived
    assert picture(simple) == simplified


def picture(op: Op) -> str:
    """Every field of every node, by text: equal before and after means untouched."""
    return "\n".join(
        f"{type(node).__name__} {[scalar.tree.sql() for scalar in node.scalars()]} {node.schema}" for node in walk(op)
    )


def same(found: ZSet, expected: ZSet, what: str | Callable[[], str]) -> None:
    """Both Z-sets are equal; the message shows what is too much (+) and what is missing (-)."""
    if found != expected:
        name = what if isinstance(what, str) else what()
        raise AssertionError(f"{name}\nis wrong by\n{found - expected}\nexpected\n{expected}")
