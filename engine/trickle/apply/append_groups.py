"""append_groups: add the touched groups as they are now, and as they were with negative counts. Nothing is rewritten.

Delta adds a file to a log in a third of the time that it takes to replace one, and whoever reads the table below reads
what came and went, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.apply.price import MILLION
from trickle.apply.state_changes import StateChanges
from trickle.apply.steps import Kind
from trickle.apply.strategy import Strategy, StrategyInput
from trickle.apply.target import SIGN, Target, unless
from trickle.plan.hidden_columns import COUNT, HIDDEN, ROWS
from trickle.render.known_sizes import sizes_are_known
from trickle.render.render import render
from trickle.render.small import FEW_ROWS, in_one_task
from trickle.sql.build import (
    alias,
    call,
    case,
    cast,
    column,
    integer,
    negative,
    one_task,
    subquery,
    union_all,
)

if TYPE_CHECKING:
    from trickle.layouts.groups import Groups

APPEND_GROUPS = "append_groups"
MOST_FILES = 16
"""Files of the storage from which on it is written anew: every reader adds up all of them."""
MOST_ROWS = 1_000_000
"""Stored rows up to which adding them up costs readers little."""
TOUCHED = f"{HIDDEN}touched"
OLD = f"{HIDDEN}old_"


def offer_append_groups(given: StrategyInput, layout: Groups, changes: StateChanges) -> Optional[Strategy]:
    """Right where the view adds up what is stored; not when too much has been appended already."""
    binding, rates, target = given.binding, given.rates, given.target
    if target.files >= MOST_FILES or target.rows > MOST_ROWS:
        return None
    written = 2 * min(changes.work.rows, float(target.rows))
    reading = given.stored * (rates.scan + rates.group) + written / MILLION * rates.write
    small = binding.stored_in_one_task and id(changes.plan) in in_one_task(changes.plan, binding)
    return Strategy(
        APPEND_GROUPS,
        Kind.APPEND,
        rates.append + changes.work.seconds + reading,
        lambda: append_groups(render(changes.plan, binding), layout, target, small),
        small or (target.rows <= FEW_ROWS and sizes_are_known(changes.plan, binding)),
    )


def append_groups(change: exp.Query, layout: Groups, target: Target, small: bool = False) -> exp.Expr:
    """INSERT INTO storage the touched groups, each once as it was and once as it is, from one grouping over both."""
    keys, states = layout.key_columns, dict(layout.states)
    own = {stored: key for key, stored in keys.items()}
    others = [name for name in layout.stored if name not in own]
    before = [
        *(alias(column(stored), key) for key, stored in keys.items()),
        column(ROWS),
        *(column(name) for name in states),
        *(alias(column(name), f"{OLD}{number}") for number, name in enumerate(others)),
        alias(integer(0), TOUCHED),
    ]
    stored = exp.Select(expressions=before).from_(target.stored(), copy=False)
    own_columns = [column(name) for name in (*keys, ROWS, *states)]
    none = [alias(exp.Null(), f"{OLD}{number}") for number, _ in enumerate(others)]
    added = exp.Select(expressions=[*own_columns, *none, alias(integer(1), TOUCHED)])
    added = added.from_(subquery(change, "moved"), copy=False)
    parts = subquery(union_all([stored, added]), "parts")
    totals = exp.Select(
        expressions=[
            *(column(key) for key in keys),
            alias(exp.Sum(this=column(ROWS)), ROWS),
            *(alias(state.combine.of_all(column(name)), name) for name, state in states.items()),
            *(alias(exp.Max(this=column(f"{OLD}{number}")), f"{OLD}{number}") for number, _ in enumerate(others)),
        ]
    ).from_(subquery(one_task(parts), "parts") if small else parts, copy=False)
    if keys:
        totals.set("group", exp.Group(expressions=[integer(number) for number in range(1, len(keys) + 1)]))
    touched = exp.EQ(this=exp.Max(this=column(TOUCHED)), expression=integer(1))
    totals.set("having", exp.Having(this=touched))
    query = exp.Select(expressions=_items(layout, own, others, target)).from_(subquery(totals, "totals"), copy=False)
    query.append("laterals", _both_signs())
    query.set("where", exp.Where(this=_is_there(layout, others)))
    columns = exp.Schema(this=target.relation(), expressions=[column(name).this for name in layout.stored])
    return exp.Insert(this=columns, expression=query)


def _items(layout: Groups, own: dict[str, str], others: list[str], target: Target) -> list[exp.Expr]:
    """Each stored column, of the row that is or of the row that was."""
    states = {name: column(name) for name, _ in layout.states}
    finished = layout.finished({key: column(key) for key in layout.key_columns}, states, column(ROWS))
    rows = unless(exp.LT(this=column(ROWS), expression=integer(0)), column(ROWS), target)
    now = {**finished, ROWS: rows, **states}
    items: list[exp.Expr] = []
    for name in layout.stored:
        if name in own:
            items.append(alias(column(own[name]), name))
            continue
        old: exp.Expr = column(f"{OLD}{others.index(name)}")
        old = negative(old) if name in (COUNT, ROWS) else old
        items.append(alias(case(_is(1), now[name], old), name))
    return items


def _is_there(layout: Groups, others: list[str]) -> exp.Expr:
    """Whether the group is there now, or was there; the one group of everything always is."""
    stays = exp.NEQ(this=column(ROWS), expression=integer(0)) if layout.key_columns else exp.true()
    was = exp.Not(this=exp.Is(this=column(f"{OLD}{others.index(ROWS)}"), expression=exp.Null()))
    return case(_is(1), stays, was)


def _is(sign: int) -> exp.Expr:
    return exp.EQ(this=column(SIGN), expression=integer(sign))


def _both_signs() -> exp.Lateral:
    numbers = call("ARRAY", integer(1), cast(integer(-1), "int"))
    return exp.Lateral(
        this=exp.Explode(this=numbers),
        view=True,
        alias=exp.TableAlias(
            this=exp.to_identifier("__trickle_signs", quoted=True),
            columns=[exp.to_identifier(SIGN, quoted=True)],
        ),
    )
