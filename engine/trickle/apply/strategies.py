"""strategies: every way a change could be applied to a view's storage, each with its price and its statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from sqlglot import exp

from trickle.apply.append import append
from trickle.apply.merge_by_key import changes_of_state, merge_by_key
from trickle.apply.overwrite import overwrite_bag, overwrite_groups
from trickle.apply.overwrite_summary import groups_added_up, groups_read_again, overwrite_summary
from trickle.apply.price import MILLION, Rates, Sizes, estimate
from trickle.apply.recount import recount
from trickle.apply.replace_groups import recomputed_groups, replace_groups
from trickle.apply.replace_range import extend, replace_range
from trickle.apply.replace_top import replace_top
from trickle.apply.steps import Kind
from trickle.apply.target import Target
from trickle.apply.whole_series import overwrite_series
from trickle.delta.appends_at_end import appends_at_end
from trickle.delta.nonnegative import only_adds
from trickle.layouts.choose import Layout
from trickle.layouts.groups import Bag, Groups
from trickle.layouts.series import Series
from trickle.layouts.summary import Summary
from trickle.layouts.top import Top
from trickle.operators import Consolidate
from trickle.plan.change import Change
from trickle.plan.op import Op
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.render.small import in_one_task, is_small

STRETCH = 0.5
"""The part of an order that comes after the first place of it that changed: a guess."""


@dataclass(frozen=True)
class Strategy:
    """One way to apply a change. The statement is only built for the strategy that is taken."""

    name: str
    kind: Kind
    seconds: float
    build: Callable[[], exp.Expr]
    one_task: bool = False


@dataclass(frozen=True)
class Prices:
    """What estimates need: sizes of the sources, rates of this warehouse."""

    sizes: Mapping[str, Sizes]
    rates: Rates


def strategies(
    change: Change, layout: Layout, target: Target, binding: Binding, prices: Prices
) -> tuple[Strategy, ...]:
    """All strategies that are right for this change, in no order."""
    if isinstance(layout, Groups):
        return _for_groups(change, layout, target, binding, prices)
    if isinstance(layout, Top):
        return (_for_top(change, layout, target, binding, prices),)
    if isinstance(layout, Series):
        return _for_series(change, layout, target, binding, prices)
    if isinstance(layout, Summary):
        return _for_summary(change, layout, target, binding, prices)
    return _for_bag(change, layout, target, binding, prices)


def _for_bag(change: Change, layout: Bag, target: Target, binding: Binding, prices: Prices) -> tuple[Strategy, ...]:
    rates, delta = prices.rates, change.delta
    work = estimate(delta, prices.sizes, target.rows, rates)
    whole = estimate(Consolidate(delta), prices.sizes, target.rows, rates)
    held = target.rows / MILLION
    written = work.rows / MILLION * rates.write
    # The target is read three times, and the last time shuffled and sorted: MERGE keeps its source's rows.
    asked = rates.merge + 2 * rates.stage + whole.seconds
    merged = asked + held * (3 * rates.scan + rates.join + rates.sort) + written
    again = _overwriting(target, rates) + whole.seconds + held * (rates.scan + rates.sort + rates.write) + written
    found = [
        Strategy("recount", Kind.MERGE, merged, lambda: recount(delta, layout, target, binding)),
        Strategy("overwrite", Kind.OVERWRITE, again, lambda: overwrite_bag(delta, layout, target, binding)),
    ]
    if only_adds(delta):
        seconds = rates.append + work.seconds + written
        found.append(Strategy("append", Kind.APPEND, seconds, lambda: append(delta, layout, target, binding)))
    return tuple(found)


def _for_top(change: Change, layout: Top, target: Target, binding: Binding, prices: Prices) -> Strategy:
    rates = prices.rates
    work = estimate(Consolidate(change.delta), prices.sizes, target.rows, rates)
    held = (target.rows + layout.kept) / MILLION
    anew = held * (rates.scan + rates.sort + rates.write)
    seconds = _overwriting(target, rates) + 2 * rates.stage + work.seconds + anew
    return Strategy("replace_top", Kind.OVERWRITE, seconds, lambda: replace_top(change.delta, layout, target, binding))


def _for_series(
    change: Change, layout: Series, target: Target, binding: Binding, prices: Prices
) -> tuple[Strategy, ...]:
    rates, delta = prices.rates, change.delta
    work = estimate(Consolidate(delta), prices.sizes, target.rows, rates)
    held = target.rows / MILLION
    # Grouped to tell equal rows apart, and put in order.
    answered = rates.group + rates.sort
    again = _overwriting(target, rates) + 2 * rates.stage + work.seconds + held * (rates.scan + answered + rates.write)
    stretch = held * (STRETCH if layout.by else 1.0)
    # Before the stretch rows are only looked at; MERGE then reads the table twice and sorts what it is joined with.
    looked = held * (6 * rates.scan + rates.join + rates.sort)
    merged = rates.merge + 6 * rates.stage + work.seconds + looked + stretch * (answered + rates.join + rates.write)
    found = [
        Strategy(layout.reach, Kind.MERGE, merged, lambda: replace_range(delta, layout, target, binding)),
        Strategy("overwrite", Kind.OVERWRITE, again, lambda: overwrite_series(delta, layout, target, binding)),
    ]
    if appends_at_end(delta, layout, binding.statistics, {name: size.changed for name, size in prices.sizes.items()}):
        seconds = rates.append + 3 * rates.stage + work.seconds + held * 3 * rates.scan
        found.append(Strategy("extend", Kind.APPEND, seconds, lambda: extend(delta, layout, target, binding)))
    return tuple(found)


def _for_summary(
    change: Change, layout: Summary, target: Target, binding: Binding, prices: Prices
) -> tuple[Strategy, ...]:
    def written(name: str, groups: Op) -> Strategy:
        plan, rates = layout.over(groups), prices.rates
        work = estimate(plan, prices.sizes, target.rows, rates)
        seconds = _overwriting(target, rates) + work.seconds + target.rows / MILLION * rates.write
        fits = binding.stored_in_one_task and id(plan) in in_one_task(plan, binding)
        build = partial(overwrite_summary, groups, layout, target, binding)
        return Strategy(name, Kind.OVERWRITE, seconds, build, fits)

    found = [written("overwrite_touched", groups_read_again(change, layout, binding.statistics))]
    if layout.groups.algebraic and (only_adds(change.delta) or not layout.groups.only_for_inserts):
        moved = changes_of_state(change.delta, layout.groups)
        found.append(written("overwrite", groups_added_up(moved, layout, target)))
    return tuple(found)


def _for_groups(
    change: Change, layout: Groups, target: Target, binding: Binding, prices: Prices
) -> tuple[Strategy, ...]:
    rates = prices.rates
    held = target.rows / MILLION
    again = estimate(recomputed_groups(change, layout, binding.statistics), prices.sizes, target.rows, rates)
    touched = again.rows / MILLION * rates.write
    merged = rates.merge + held * (2 * rates.scan + rates.join + rates.sort) + touched
    seconds = merged + again.seconds
    found = [Strategy("replace_groups", Kind.MERGE, seconds, lambda: replace_groups(change, layout, target, binding))]
    if layout.algebraic and (only_adds(change.delta) or not layout.only_for_inserts):
        moved = changes_of_state(change.delta, layout)
        work = estimate(moved, prices.sizes, target.rows, rates)
        seconds = merged + work.seconds
        found.append(
            Strategy(
                "merge_by_key",
                Kind.MERGE,
                seconds,
                lambda: merge_by_key(render(moved, binding), layout, target, is_small(moved, binding)),
            )
        )
        anew = held * (rates.scan + rates.group + rates.write)
        seconds = _overwriting(target, rates) + rates.stage + work.seconds + anew
        small = binding.stored_in_one_task and id(moved) in in_one_task(moved, binding)
        found.append(
            Strategy(
                "overwrite",
                Kind.OVERWRITE,
                seconds,
                lambda: overwrite_groups(render(moved, binding), layout, target, small),
                small,
            )
        )
    return tuple(found)


def _overwriting(target: Target, rates: Rates) -> float:
    return rates.reread if target.paths else rates.overwrite
