"""Twelve models: two diamonds, three schedules, a calculated chain, a view, an ephemeral, a table remade every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

Rows = Counter[tuple[int, str]]
Inputs = Mapping[str, Rows]

BASES = ("r", "s")


@dataclass(frozen=True)
class Model:
    """One model. Every relation has the columns a and b, so that a query can be written in SQL and in Python."""

    name: str
    sql: str
    reads: tuple[str, ...]
    """What dbt's manifest says it refers to."""
    query: Callable[[Inputs], Rows]
    """What the SQL means, over the tables that it reads in the end."""
    kind: str = "stream_table"
    schedule: str | None = None


def where(name: str, keep: Callable[[int], bool]) -> Callable[[Inputs], Rows]:
    return lambda inputs: Counter({row: count for row, count in inputs[name].items() if keep(row[0])})


def joined(left: Rows, right: Rows) -> Rows:
    """SELECT l.a, x.b FROM left AS l JOIN right AS x ON l.a = x.a"""
    found: Rows = Counter()
    for (a, _), count in left.items():
        for (other, b), times in right.items():
            if a == other:
                found[a, b] += count * times
    return found


def join_of(left: str, right: str) -> Callable[[Inputs], Rows]:
    return lambda inputs: joined(inputs[left], inputs[right])


def newest_by_b(rows: Rows) -> Rows:
    """SELECT MAX(a) AS a, b FROM rows GROUP BY b"""
    best: dict[str, int] = {}
    for a, b in rows:
        best[b] = max(a, best.get(b, a))
    return Counter({(a, b): 1 for b, a in best.items()})


def join_sql(left: str, right: str) -> str:
    return f"SELECT l.a, x.b FROM s.{left} AS l JOIN s.{right} AS x ON l.a = x.a"


EPHEMERAL = "SELECT a, b FROM s.people WHERE a > 1"

MODELS = (
    Model("paid", "SELECT a, b FROM s.r WHERE a > 2", ("r",), where("r", lambda a: a > 2), schedule="calculated"),
    Model("open", "SELECT a, b FROM s.r WHERE a <= 7", ("r",), where("r", lambda a: a <= 7), schedule="45m"),
    Model("both", join_sql("paid", "open"), ("paid", "open"), join_of("paid", "open"), schedule="45m"),
    Model("few", "SELECT a, b FROM s.s WHERE a < 9", ("s",), where("s", lambda a: a < 9), kind="view"),
    Model(
        "people", "SELECT a, b FROM s.few WHERE a > 0", ("few",), where("s", lambda a: 0 < a < 9), schedule="calculated"
    ),
    Model("grown", EPHEMERAL, ("people",), where("people", lambda a: a > 1), kind="ephemeral"),
    Model("levels", join_sql("paid", "s"), ("paid", "s"), join_of("paid", "s"), schedule="45m"),
    Model(
        "newest",
        "SELECT MAX(a) AS a, b FROM s.people GROUP BY b",
        ("people",),
        lambda inputs: newest_by_b(inputs["people"]),
        schedule="calculated",
    ),
    Model(
        "adults",
        f"WITH __dbt__cte__grown AS ({EPHEMERAL}) "
        "SELECT l.a, x.b FROM __dbt__cte__grown AS l JOIN s.s AS x ON l.a = x.a",
        ("grown", "s"),
        lambda inputs: joined(where("people", lambda a: a > 1)(inputs), inputs["s"]),
        schedule="3h",
    ),
    Model("second", join_sql("newest", "adults"), ("newest", "adults"), join_of("newest", "adults"), schedule="12h"),
    Model("made", "SELECT a, b FROM s.levels", ("levels",), lambda inputs: inputs["levels"], kind="table"),
    Model("top", join_sql("made", "both"), ("made", "both"), join_of("made", "both"), schedule="12h"),
)
"""In an order in which every model comes after those it reads."""

BY_NAME = {model.name: model for model in MODELS}
STREAMS = tuple(model for model in MODELS if model.kind == "stream_table")


@cache
def downstream(name: str) -> frozenset[str]:
    """The models that dbt skips when this one fails."""
    found = {name}
    for model in MODELS:
        if found & set(model.reads):
            found.add(model.name)
    return frozenset(found - {name})
