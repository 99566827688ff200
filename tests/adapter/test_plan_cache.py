"""Compiled models kept between runs: used while everything they depend on is the same, ignored when in doubt."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import xxhash

from dbt.adapters.trickle.versions import plan_cache
from dbt.adapters.trickle.versions.plan_cache import UNUSED_SECONDS, PlanCache
from dbt.adapters.trickle.versions.plan_file import CachedPlan, Damaged, from_bytes, to_bytes
from tests.documents.reason_examples import EXAMPLES
from tests.facts import compiled
from tests.snapshots.shop import resolve
from trickle import Facts, FloatSums, Options, TrickleError

SQL = "SELECT customer_id, SUM(amount) AS total FROM shop.orders WHERE status = 'paid' GROUP BY customer_id"
NAME = ("shop", "totals__trickle")


@pytest.fixture
def plans(tmp_path: Path) -> PlanCache:
    """One plan in a folder."""
    plans = PlanCache(tmp_path / "plans", {"ansi": "true"})
    plans.save(NAME, plan(plans))
    return plans


def plan(plans: PlanCache, sql: str = SQL) -> CachedPlan:
    return CachedPlan(
        plans.fingerprint(sql, Options()),
        Facts({("shop", "orders"): resolve(("shop", "orders"))}),
        compiled(sql, resolve),
        is_confirmed=True,
    )


def read(plans: PlanCache, sql: str = SQL, options: Options = Options()) -> CachedPlan | None:  # noqa: B008 - frozen
    return plans.read(NAME, plans.fingerprint(sql, options))


@pytest.mark.parametrize("sql", [SQL, *EXAMPLES.values()])
def test_a_plan_is_read_as_it_was_written(sql: str) -> None:
    """Plan, layout, reasons and definition, of every query that has an example."""
    try:
        view = compiled(sql, resolve)
    except TrickleError:
        pytest.skip("never: there is no plan of a query that is refused")
    kept = CachedPlan("print", Facts(), view, is_confirmed=False)

    found = from_bytes(to_bytes(kept))

    assert repr(found.view.plan) == repr(view.plan)
    assert found.view.layout.stored == view.layout.stored
    assert (found.view.definition, found.view.reasons, found.view.options, found.view.sources) == (
        view.definition, view.reasons, view.options, view.sources
    )  # fmt: skip
    assert found.view.pinned == view.pinned


def test_it_is_used_while_nothing_has_changed(plans: PlanCache) -> None:
    found = read(plans)
    assert found is not None and found.is_confirmed
    assert found.facts == plan(plans).facts


@pytest.mark.parametrize(
    "sql, options, contract",
    [
        (SQL + " ", Options(), {"ansi": "true"}),
        (SQL, Options(float_sums=FloatSums.FAST), {"ansi": "true"}),
        (SQL, Options(), {"ansi": "false"}),
    ],
    ids=["text", "options", "settings"],
)
def test_it_is_not_used_for_anything_else(
    plans: PlanCache, tmp_path: Path, sql: str, options: Options, contract: dict[str, str]
) -> None:
    """Another text, another option, another setting."""
    assert read(PlanCache(tmp_path / "plans", contract), sql, options) is None


def test_another_version_is_not_used(plans: PlanCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the engine, of sqlglot or of this package."""
    monkeypatch.setattr(plan_cache, "_made_by", lambda: "dbt-trickle 0.0.1")
    assert read(plans) is None


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda content: content[:-10],
    "empty": lambda content: b"",
    "garbage": lambda content: b"\0\1\2" * 100,
    "one bit": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_ignored_and_written_anew(
    plans: PlanCache, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "plans" / "shop.totals__trickle.plan"
    file.write_bytes(damage(file.read_bytes()))

    assert read(plans) is None
    plans.save(NAME, plan(plans))
    assert read(plans) is not None


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    """A file stands in its place: nothing is kept, and nothing fails."""
    (tmp_path / "plans").write_text("in the way")
    plans = PlanCache(tmp_path / "plans", {})
    plans.save(NAME, plan(plans))
    assert read(plans) is None


class Planted:
    """Runs a command when it is read by pickle itself."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, (f"touch {self.file}",)


def test_reading_runs_no_foreign_code(tmp_path: Path) -> None:
    """Whoever writes a file with a right checksum makes values of plans and trees, and calls nothing."""
    ran = tmp_path / "ran"
    body = pickle.dumps(Planted(ran))
    with pytest.raises(Damaged, match="is no part of a plan"):
        from_bytes(xxhash.xxh3_128_digest(body) + body)
    assert not ran.exists()


@pytest.mark.parametrize("value", [dict, os.getcwd, PlanCache, replace], ids=lambda one: one.__name__)
def test_other_classes_and_functions_are_refused(value: object) -> None:
    body = pickle.dumps(value)
    with pytest.raises(Damaged):
        from_bytes(xxhash.xxh3_128_digest(body) + body)


def test_plans_of_models_that_are_gone_are_removed(plans: PlanCache, tmp_path: Path) -> None:
    """What no run has read for a month."""
    plans.save(("shop", "gone"), plan(plans))
    gone = tmp_path / "plans" / "shop.gone.plan"
    then = gone.stat().st_mtime - UNUSED_SECONDS - 1
    os.utime(gone, (then, then))

    plans.save(NAME, plan(plans))

    assert not gone.exists()
    assert read(plans) is not None


def test_the_number_of_plans_is_bounded(plans: PlanCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_cache, "MOST_FILES", 2)
    for number in range(3):
        plans.save(("shop", f"m{number}"), plan(plans))
    assert len(list((tmp_path / "plans").glob("*.plan"))) == 2


def test_a_plan_that_is_too_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_cache, "LARGEST_FILE", 100)
    plans = PlanCache(tmp_path, {})
    plans.save(NAME, plan(plans))
    assert not list(tmp_path.iterdir())
