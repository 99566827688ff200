"""From the journal of a TPC-H measurement to medians, ratios and verdicts. Arithmetic only."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from benchmarks.journal import Record, counted, of_kind, whole_rounds
from benchmarks.meter import Spent
from benchmarks.ratios import NEVER_WORSE, Ratio, medians, ratio

NOTHING = "NO_DATA"
RECOMPUTING = ("FULL", "REINITIALIZE")
RIVALS = ("full", "table")
"""What maintaining has to beat: recomputing a stream table, and dbt's plain table."""


@dataclass(frozen=True)
class Refresh:
    """One measured refresh of one variant."""

    spent: Spent
    succeeded: bool
    action: str = ""
    strategy: str = ""
    reason: str = ""
    prices: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Measured:
    """A query in a regime: its refreshes by variant, in the order in which they were measured."""

    query: str
    refreshes: Mapping[str, Sequence[Refresh]]

    @property
    def failed(self) -> list[str]:
        return [name for name, every in self.refreshes.items() if not all(one.succeeded for one in every)]

    def spent(self, variant: str) -> Spent | None:
        """The medians, none if a refresh failed or was not measured: a failed one may have taken no time."""
        every = self.refreshes.get(variant, ())
        return medians([one.spent for one in every]) if every and variant not in self.failed else None

    @property
    def best(self) -> Spent | None:
        """The rival with the least wall and the one with the least CPU seconds, each by itself."""
        rivals = [spent for variant in RIVALS if (spent := self.spent(variant)) is not None]
        return Spent(min(one.wall for one in rivals), min(one.cpu for one in rivals)) if rivals else None

    @property
    def ratio(self) -> Ratio | None:
        """The better of the rivals divided by auto: above 1, auto is faster."""
        auto, best = self.spent("auto"), self.best
        return ratio(best, auto) if auto is not None and best is not None else None

    @property
    def is_unchanged(self) -> bool:
        """Whether none of its tables changed: auto never found anything to do."""
        every = self.refreshes.get("auto", ())
        return bool(every) and all(one.action == NOTHING for one in every)

    def took(self, variant: str) -> str:
        """The most frequent action with its strategy or, of a recompute, its reason."""
        every = self.refreshes.get(variant, ())
        return Counter(map(_words, every)).most_common(1)[0][0] if every else ""

    @property
    def is_wrong_choice(self) -> bool:
        """Whether what auto did not choose was more than a tenth faster. Without another way there is no choice."""
        auto, other = self.spent("auto"), self.spent(self._not_chosen)
        if self.is_unchanged or auto is None or other is None:
            return False
        return auto.wall / NEVER_WORSE > other.wall

    @property
    def _not_chosen(self) -> str:
        if not _recomputes(self.took("auto")):
            return "full"
        return "" if _recomputes(self.took("incremental")) else "incremental"


def measured(records: Sequence[Record]) -> dict[tuple[str, float], list[Measured]]:
    """(regime, percent) → its queries, of whole measured rounds only."""
    rounds = whole_rounds(counted(records))
    found: dict[tuple[str, float], dict[str, dict[str, list[Refresh]]]] = {}
    for record in of_kind(counted(records), "node"):
        one = rounds.get(record["round"])
        if one is not None and one.measured:
            queries = found.setdefault((one.regime, one.percent), {})
            queries.setdefault(record["query"], {}).setdefault(record["variant"], []).append(_refresh(record))
    return {regime: [Measured(*item) for item in sorted(queries.items())] for regime, queries in found.items()}


def summary(queries: Sequence[Measured]) -> dict[str, Any]:
    """The figures of a regime, over the queries whose tables changed."""
    changed = [one for one in queries if not one.is_unchanged]
    ratios = {one.query: one.ratio for one in changed if one.ratio is not None}
    walls = {query: found.wall for query, found in ratios.items()}
    full = [ratio(*pair) for one in changed if (pair := _pair(one, "full", "table")) is not None]
    return {
        "queries": len(queries),
        "compared": len(ratios),
        "unchanged": [one.query for one in queries if one.is_unchanged],
        "geometric_mean": {"wall": _mean(walls.values()), "cpu": _mean(one.cpu for one in ratios.values())},
        "at_least_3": sum(value >= 3 for value in walls.values()),
        "at_least_2": sum(value >= 2 for value in walls.values()),
        "worse": [query for query, value in walls.items() if value < 1 / NEVER_WORSE],
        "wrong_choices": [one.query for one in changed if one.is_wrong_choice],
        "failed": [f"{one.query} {variant}" for one in queries for variant in one.failed],
        "full_over_table": _mean(one.wall for one in full),
    }


def document(records: Sequence[Record]) -> dict[str, Any]:
    """Everything that was measured, with the verdicts. The machine is that of the first process."""
    current = counted(records)
    runs = of_kind(current, "run")
    checks = of_kind(current, "check")
    rounds = whole_rounds(current)
    loads = [end["load"] for end in of_kind(current, "end") if end["round"] in rounds and rounds[end["round"]].measured]
    return {
        "kind": "tpch",
        "machine": runs[0]["machine"] if runs else {},
        "settings": runs[0]["settings"] if runs else {},
        "runs": [{"at": run["at"], "commit": run["machine"]["commit"]} for run in runs],
        "load": max(loads, default=None),
        "checks": {"tables": len(checks), "differing": [_named(one) for one in checks if one["differences"]]},
        "regimes": [
            {
                "regime": regime,
                "percent": percent,
                "summary": summary(queries),
                "queries": [_query(one) for one in queries],
            }
            for (regime, percent), queries in measured(records).items()
        ],
    }


def _query(one: Measured) -> dict[str, Any]:
    return {
        "query": one.query,
        "ratio": asdict(one.ratio) if one.ratio is not None else None,
        "unchanged": one.is_unchanged,
        "wrong_choice": one.is_wrong_choice,
        "ways": {variant: _way(one, variant) for variant in one.refreshes},
    }


def _way(one: Measured, variant: str) -> dict[str, Any]:
    spent, every = one.spent(variant), one.refreshes[variant]
    return {
        "median": asdict(spent) if spent is not None else None,
        "rounds": [asdict(refresh.spent) for refresh in every],
        "took": one.took(variant),
        "prices": every[-1].prices,
    }


def _refresh(record: Record) -> Refresh:
    response = record["response"]
    return Refresh(
        Spent(record["wall"], record["cpu"]),
        record["status"] == "success",
        response.get("action", ""),
        response.get("strategy", ""),
        response.get("reason_code", ""),
        response.get("prices"),
    )


def _pair(one: Measured, dividend: str, divisor: str) -> tuple[Spent, Spent] | None:
    left, right = one.spent(dividend), one.spent(divisor)
    return (left, right) if left is not None and right is not None else None


def _words(refresh: Refresh) -> str:
    if refresh.action == NOTHING:
        return NOTHING
    return f"{refresh.action} {refresh.reason if refresh.action in RECOMPUTING else refresh.strategy}".strip()


def _recomputes(took: str) -> bool:
    return took.partition(" ")[0] in RECOMPUTING


def _named(check: Record) -> str:
    return f"{check['query']} {check['variant']}, round {check['round']}"


def _mean(values: Iterable[float]) -> float | None:
    """The geometric mean."""
    logarithms = [math.log(value) for value in values]
    return math.exp(fmean(logarithms)) if logarithms else None
