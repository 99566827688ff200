"""What a refresh costs before its first statement: texts parsed, names resolved, questions to Spark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlglot

from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.versions.plan_cache import PlanCache
from tests.adapter.lake import Columns, Lake
from trickle import Name
from trickle.sql.parse import parse_expression, parse_select

MODEL = "SELECT a, b FROM s.t WHERE a > 0"
TWO = "SELECT t.a, u.b FROM s.t AS t JOIN s.u AS u ON t.a = u.a"


class CountingColumns(Columns):
    """Spark's answers, and how often it was asked."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__()
        self._counts = counts

    def schema_of(self, sql: str) -> Sequence[tuple[str, str]]:
        self._counts["asked"] += 1
        return super().schema_of(sql)

    def same_meaning(self, one: str, other: str) -> bool:
        self._counts["asked"] += 1
        return super().same_meaning(one, other)


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Calls of sqlglot's parser and of the catalog, by kind."""
    counted: Counter[str] = Counter()
    parse, resolve = sqlglot.parse, SourceCatalog.resolve

    def counting_parse(*given: Any, **named: Any) -> Any:
        counted["parsed"] += 1
        return parse(*given, **named)

    def counting_resolve(self: SourceCatalog, name: Name) -> Any:
        counted["resolved"] += 1
        return resolve(self, name)

    monkeypatch.setattr(sqlglot, "parse", counting_parse)
    monkeypatch.setattr(SourceCatalog, "resolve", counting_resolve)
    return counted


@pytest.fixture
def lake(tmp_path: Path, counts: Counter[str]) -> Lake:
    """Two tables, and a stream table over the first."""
    lake = Lake(tmp_path)
    lake.analyst = CountingColumns(counts)
    lake.table("t", "t")
    lake.table("u", "u")
    lake.refresh("m", MODEL, "build")
    return lake


def cost(lake: Lake, counts: Counter[str], run: str, sql: str = MODEL, model: str = "m") -> tuple[str, dict[str, int]]:
    """The action of a refresh in a process of its own, and what was counted."""
    forget()
    counts.clear()
    decision = lake.decide(model, sql, run)
    counted = {kind: counts[kind] for kind in ("parsed", "resolved", "asked")}
    lake.commit(model, decision)
    lake.tell(model, decision)
    return decision.plan.action.value, counted


def forget() -> None:
    """A process of its own has parsed nothing yet."""
    parse_select.cache_clear()
    parse_expression.cache_clear()


def keeping(lake: Lake) -> Lake:
    """The same with a folder for compiled plans."""
    lake.plans = PlanCache(lake.folder / "plans", lake.contract)
    return lake


def test_nothing_has_changed(lake: Lake, counts: Counter[str]) -> None:
    """The text is parsed once, its one name resolved once, and Spark describes the query."""
    assert cost(lake, counts, "2") == ("NO_DATA", {"parsed": 1, "resolved": 1, "asked": 1})


def test_rows_were_added(lake: Lake, counts: Counter[str]) -> None:
    lake.append("t")
    assert cost(lake, counts, "2") == ("APPEND", {"parsed": 1, "resolved": 1, "asked": 1})


def test_rows_were_changed(lake: Lake, counts: Counter[str]) -> None:
    lake.update("t")
    action, counted = cost(lake, counts, "2")
    assert action in ("INCREMENTAL", "FULL")
    assert counted == {"parsed": 1, "resolved": 1, "asked": 1}


def test_a_new_definition(lake: Lake, counts: Counter[str]) -> None:
    """Spark is asked as well whether it reads the text as it was parsed."""
    action, counted = cost(lake, counts, "2", TWO)
    assert (action, counted) == ("REINITIALIZE", {"parsed": 1, "resolved": 2, "asked": 2})


def test_a_kept_plan_is_neither_parsed_nor_asked_about(lake: Lake, counts: Counter[str]) -> None:
    """Its names are resolved, once each: that proves that it still holds."""
    keeping(lake)
    assert cost(lake, counts, "2") == ("NO_DATA", {"parsed": 1, "resolved": 1, "asked": 1})
    assert cost(lake, counts, "3") == ("NO_DATA", {"parsed": 0, "resolved": 1, "asked": 0})
    lake.append("t")
    assert cost(lake, counts, "4") == ("APPEND", {"parsed": 0, "resolved": 1, "asked": 0})


def test_fifty_models(lake: Lake, counts: Counter[str]) -> None:
    """Each text and each name once per model, whatever its neighbours read; then nothing is parsed any more."""
    keeping(lake)
    texts = {f"m{number}": f"SELECT a, b FROM s.t WHERE a > {number}" for number in range(50)}

    def costs(run: str) -> tuple[set[str], Counter[str]]:
        found = [cost(lake, counts, run, text, name) for name, text in texts.items()]
        return {action for action, _ in found}, sum((Counter(counted) for _, counted in found), Counter())

    assert costs("2") == ({"FULL"}, {"parsed": 50, "resolved": 50, "asked": 100})
    assert costs("3") == ({"NO_DATA"}, {"resolved": 50})


def test_a_view_is_parsed_once(lake: Lake, counts: Counter[str]) -> None:
    """The text of a view, that of the model over it, and no more."""
    lake.views["v"] = "SELECT a, b FROM s.t"
    action, counted = cost(lake, counts, "2", "SELECT a, b FROM s.v", "over")
    assert (action, counted["resolved"]) == ("FULL", 2)
    assert counted["parsed"] == 2
