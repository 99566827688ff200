"""What a strategy would cost on this warehouse, in seconds, from sizes the logs give for free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from typing_extensions import assert_never

from trickle.catalog.source_files import SourceFiles
from trickle.operators import (
    Accumulate,
    Aggregate,
    AnyOp,
    ClockDelta,
    Consolidate,
    Distinct,
    Empty,
    Explode,
    Feed,
    Filter,
    Join,
    Lookup,
    MarkJoin,
    Moment,
    Negate,
    OuterJoin,
    Project,
    Recompute,
    Recursion,
    Restrict,
    Scan,
    SemiJoin,
    Stored,
    StoredRecursion,
    TopK,
    TouchedKeys,
    UnionAll,
    Values,
    Window,
    Within,
    Working,
    closed,
)
from trickle.plan.op import Op, walk


@dataclass(frozen=True)
class Rates:
    """Seconds per statement and per million rows on two quiet cores; benchmarks/every_strategy.py measures them.

    Where measurements disagree, the rates of recomputing are the lower ones and those of maintaining the higher: a
    FULL that would have been beaten costs little, a refresh that is slower than FULL breaks a promise.
    """

    append: float = 0.35
    overwrite: float = 1.2
    reread: float = 0.5
    """An overwrite that reads the stored rows by their files: Delta does not compute the state of its table twice."""
    create: float = 1.4
    merge: float = 2.8
    stage: float = 0.12
    """Every join and grouping is planned, compiled and scheduled, however few its rows: changes have deep plans."""
    again: float = 0.4
    """The share of it that a shared part costs each further reader: it is planned once more, and mostly run once."""
    listing: float = 0.15
    """A table that Delta reads: its log is replayed once more for each time that a statement names it."""
    part: float = 0.4
    """What is computed before a statement is one more job, and three more statements: a guess."""
    scan: float = 0.10
    feed: float = 0.6
    feed_read: float = 0.15
    join: float = 0.15
    group: float = 0.35
    sort: float = 0.8
    write: float = 0.9


@dataclass(frozen=True)
class Sizes:
    """Rows of a source: all of them, and those that changed; and which of them are read without Delta."""

    rows: int
    changed: int
    files: SourceFiles = field(default_factory=SourceFiles)


@dataclass(frozen=True)
class Estimate:
    """Seconds of work in a plan and the rows that come out."""

    seconds: float
    rows: float


MILLION = 1_000_000
CHANGED_BY_CLOCK = 0.01
"""Share of the rows that a condition on the clock takes or leaves from one refresh to the next: a guess."""

ROUNDS = 10
"""Levels of a recursion, each of which runs the step once more: a guess."""


MANY = 40
"""Relations, counted as often as Spark plans them, from which on a statement is worth taking apart …"""
WORTH = 4
"""… and those of a part that is worth a statement of its own."""


def estimate(root: Op, sizes: Mapping[str, Sizes], stored: int, rates: Rates) -> Estimate:
    """Walk the plan as it will run: shared parts are evaluated by every reader, unless they are computed first."""
    first = _computed_first(root)
    done: dict[int, Estimate] = {}
    before = 0.0

    def visit(op: Op) -> Estimate:
        nonlocal before
        if id(op) in done and op.children:
            return Estimate(done[id(op)].seconds * rates.again, done[id(op)].rows)
        if id(op) not in done:
            estimated = _estimate(closed(op), [visit(child) for child in op.children], sizes, stored, rates)
            if id(op) in first:
                before += estimated.seconds + rates.part
                estimated = Estimate(0.0, estimated.rows)
            done[id(op)] = estimated
        return done[id(op)]

    whole = visit(root)
    return Estimate(before + whole.seconds, whole.rows)


def _computed_first(root: Op) -> frozenset[int]:
    """The operators (by id) that become parts of their own, about as `hold` finds them in the statement."""
    every = walk(root)
    planned: dict[int, int] = {}
    for op in every:
        planned[id(op)] = sum(planned[id(child)] for child in op.children) or 1
    if planned[id(root)] < MANY:
        return frozenset()
    readers = Counter(id(child) for op in every for child in op.children)
    first: set[int] = set()
    for op in every:
        relations = sum(1 if id(child) in first else planned[id(child)] for child in op.children) or 1
        planned[id(op)] = relations
        if readers[id(op)] > 1 and relations >= WORTH:
            first.add(id(op))
    return frozenset(first)


def _estimate(op: AnyOp, inputs: list[Estimate], sizes: Mapping[str, Sizes], stored: int, rates: Rates) -> Estimate:
    """One operator over estimated inputs."""
    seconds = sum(child.seconds for child in inputs)
    rows = sum(child.rows for child in inputs)
    match op:
        case Scan():
            size = sizes[op.source]
            named = size.files.now if op.at is Moment.AFTER else size.files.before
            return Estimate((0.0 if named else rates.listing) + size.rows / MILLION * rates.scan, size.rows)
        case Feed():
            size = sizes[op.source]
            opened = rates.feed_read + (0.0 if size.files.change else rates.listing)
            return Estimate(opened + size.changed / MILLION * rates.feed, size.changed)
        case Stored() | StoredRecursion():
            return Estimate(stored / MILLION * rates.scan, stored)
        case Within():
            # Nothing else is read of the source's files.
            return Estimate(seconds * op.share, rows * op.share)
        case Recompute():
            total = sum(size.rows for size in sizes.values())
            return Estimate(total / MILLION * (rates.scan + rates.join), total)
        case Recursion():
            anchor, step = inputs
            return Estimate(anchor.seconds + ROUNDS * step.seconds, anchor.rows + (0 if op.signed else stored))
        case Join() | OuterJoin() | SemiJoin() | MarkJoin() | Restrict():
            left, right = inputs
            return _estimate_join(op, left, right, rates)
        case Aggregate() | Accumulate() | Distinct() | TouchedKeys():
            return Estimate(seconds + rates.stage + rows / MILLION * rates.group, rows / 2)
        case TopK():
            # Each task keeps its own first rows, and only those are put in order together.
            return Estimate(seconds + rates.stage + rows / MILLION * rates.scan, min(rows, op.limit))
        case Consolidate() | Window():
            return Estimate(seconds + rates.stage + rows / MILLION * rates.sort, rows)
        case ClockDelta():
            return Estimate(seconds, rows * CHANGED_BY_CLOCK)
        case Lookup():
            return Estimate(seconds + rates.stage, inputs[0].rows)
        case UnionAll() | Empty() | Explode() | Filter() | Negate() | Project() | Values() | Working():
            return Estimate(seconds, rows)
        case _:
            assert_never(op)


def _estimate_join(
    op: Join | OuterJoin | SemiJoin | MarkJoin | Restrict, left: Estimate, right: Estimate, rates: Rates
) -> Estimate:
    """Both sides are read; how many rows come out depends on what the join keeps."""
    seconds = left.seconds + right.seconds + rates.stage
    both = seconds + (left.rows + right.rows) / MILLION * rates.join
    match op:
        case Join() | OuterJoin():
            small, large = sorted((left.rows, right.rows))
            return Estimate(both, small if op.signed else large)
        case SemiJoin():
            return Estimate(both, left.rows if op.anti else min(left.rows, right.rows * 10))
        case MarkJoin():
            return Estimate(both, left.rows)
        case Restrict():
            # The keys are few.
            return Estimate(seconds + left.rows / MILLION * rates.join, min(left.rows, right.rows * 10))
        case _:
            assert_never(op)
