"""From a manifest to the due tables, and cycles that dbt cannot see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.project import Node, Project, nodes_of
from dbt.adapters.trickle.project.profile import Profile
from dbt.adapters.trickle.scheduling.due_tables import (
    DueTables,
    DueTablesByInvocation,
    circle_through,
    due_tables_of,
    physical_reads,
    schedule_faults,
    schedule_graph,
)
from dbt.adapters.trickle.scheduling.memory import RefreshMemory
from tests.adapter.log_builder import LogBuilder, metadata
from trickle import Frontier, Stamp
from trickle.schedule.slots import EveryRun

MINUTE = 60_000


def manifest(**models: tuple[str, dict[str, Any], list[str]]) -> dict[str, Any]:
    """name=(materialized, config, ids it reads)."""
    nodes = {
        f"model.p.{name}": {
            "unique_id": f"model.p.{name}",
            "resource_type": "model",
            "name": name,
            "schema": "shop",
            "alias": name,
            "config": {"materialized": kind, **config},
            "depends_on": {"nodes": reads},
            "checksum": {"name": "sha256", "checksum": f"text of {name}"},
        }
        for name, (kind, config, reads) in models.items()
    }
    return {"nodes": nodes, "sources": {}}


def with_source(found: dict[str, Any], name: str, identifier: str) -> dict[str, Any]:
    source = {
        "unique_id": f"source.p.raw.{name}",
        "resource_type": "source",
        "source_name": "raw",
        "name": name,
        "schema": "Shop",
        "identifier": identifier,
    }
    return {**found, "sources": {**found["sources"], source["unique_id"]: source}}


def project(folder: Path, found: dict[str, Any]) -> Project:
    return Project(folder, "p", nodes_of(found), Profile("dev", "shop", str(folder), "UTC"))


CHAIN = manifest(
    orders=("stream_table", {}, ["source.p.raw.orders"]),
    recent=("view", {}, ["model.p.orders"]),
    totals=("stream_table", {"schedule": "1h"}, ["model.p.recent"]),
)


def test_schedules_come_from_the_manifest() -> None:
    """Own ones, and calculated ones through a view."""
    graph = schedule_graph(nodes_of(CHAIN), "UTC")

    assert str(graph.schedule("model.p.totals")) == "target lag 1h"
    assert str(graph.schedule("model.p.orders")) == "calculated: target lag 1h"


def test_a_wrong_schedule_does_not_affect_others() -> None:
    """Its own model is refused when it runs; its sources are refreshed at every run until then."""
    nodes = nodes_of(manifest(a=("stream_table", {}, []), b=("stream_table", {"schedule": "soon"}, ["model.p.a"])))

    assert schedule_graph(nodes, "UTC").schedule("model.p.a") == EveryRun()


def test_a_source_that_a_model_builds_is_that_model() -> None:
    """By the name of its view or of its storage: schedules are calculated through it."""
    for identifier in ("orders", "Orders__trickle"):
        found = with_source(
            manifest(
                orders=("stream_table", {}, []), totals=("stream_table", {"schedule": "5m"}, ["source.p.raw.made"])
            ),
            "made",
            identifier,
        )

        assert physical_reads(nodes_of(found))["source.p.raw.made"] == ("model.p.orders",)
        assert str(schedule_graph(nodes_of(found), "UTC").schedule("model.p.orders")) == "calculated: target lag 5m"


def test_a_circle_through_a_source() -> None:
    """Found from each of its models, with the project's names."""
    found = with_source(
        manifest(orders=("stream_table", {}, ["source.p.raw.made"]), totals=("stream_table", {}, ["model.p.orders"])),
        "made",
        "totals",
    )
    nodes = nodes_of(found)

    declared = "orders → source raw.made → totals → orders"
    assert circle_through(nodes["model.p.orders"], nodes, []) == declared
    assert circle_through(nodes["model.p.orders"], nodes, [("shop", "totals")]) == declared
    assert circle_through(nodes["model.p.totals"], nodes, []) == "totals → orders → source raw.made → totals"


def test_a_circle_through_a_plain_name() -> None:
    """Its SQL names a table that is built from it, or itself."""
    nodes = nodes_of(CHAIN)
    orders = nodes["model.p.orders"]

    assert circle_through(orders, nodes, [("shop", "totals")]) == "orders → totals → recent → orders"
    assert circle_through(orders, nodes, [("shop", "orders__trickle")]) == "orders → orders"
    assert circle_through(orders, nodes, [("elsewhere", "totals"), ("shop", "raw_orders")]) == ""


def test_all_tables_are_decided_at_once(tmp_path: Path) -> None:
    """A table that was never built is due, and makes its sources due."""
    round_ = due_tables_of(project(tmp_path, CHAIN), tick=100 * MINUTE)

    assert {name: due.why for name, due in round_.due.items()} == {
        "model.p.orders": "never_refreshed",
        "model.p.totals": "never_refreshed",
    }


def test_a_schedule_that_is_not_applied(tmp_path: Path) -> None:
    """With `on_configuration_change: continue` the stored schedule is used, whatever its form."""
    config = {"schedule": "1h", "on_configuration_change": "continue"}
    graph = manifest(orders=("stream_table", config, []), totals=("stream_table", config, []))
    found = project(tmp_path, graph)
    for name, kept in (("orders", "5m"), ("totals", '{"every": "1d"}')):
        stamp = Stamp(f"model.p.{name}", 1, "FULL", "first_build", "create", "", {}, Frontier(), 0, "0.1")
        storage = LogBuilder(found.storage_log(found.stream_table(name)).path)
        definition = metadata(table_id=name, **{"trickle.schedule": kept})
        storage.commit("CREATE TABLE", definition, userMetadata=stamp.to_json())

    round_ = due_tables_of(found, tick=100 * MINUTE)

    assert str(round_.schedule("model.p.orders")) == "target lag 5m"
    assert str(round_.schedule("model.p.totals")) == "every 1d"


def refreshed_a_minute_ago(folder: Path, file: Callable[[Node], str]) -> DueTables:
    """All tables were refreshed a minute ago."""
    found = project(folder, CHAIN)
    memories = {node.id: RefreshMemory(tick=100 * MINUTE, file=file(node)) for node in found.stream_tables}
    return DueTables(found, schedule_graph(found.nodes, "UTC"), memories, 101 * MINUTE)


def test_an_edited_model_is_due(tmp_path: Path) -> None:
    """By dbt's checksum of its file; its sources are needed. An unknown checksum does not count."""
    edited = refreshed_a_minute_ago(tmp_path, lambda node: node.checksum if node.name == "orders" else "older text")
    same = refreshed_a_minute_ago(tmp_path, lambda node: node.checksum)
    unknown = refreshed_a_minute_ago(tmp_path, lambda node: "")

    assert {table: due.why for table, due in edited.due.items()} == {
        "model.p.orders": "needed",
        "model.p.totals": "changed",
    }
    assert not any(due.due for due in same.due.values())
    assert not any(due.due for due in unknown.due.values())


def test_a_check_does_not_use_up_a_limit_on_updates(tmp_path: Path) -> None:
    """`at_most_every` counts refreshes that wrote rows; a check uses a slot of any other schedule."""
    limited = {"schedule": {"on_update": True, "at_most_every": "10m"}}
    found = project(tmp_path, manifest(a=("stream_table", limited, []), b=("stream_table", {"schedule": "1d"}, [])))
    memories = {node.id: RefreshMemory(tick=105 * MINUTE, written=95 * MINUTE) for node in found.stream_tables}
    round_ = DueTables(found, schedule_graph(found.nodes, "UTC"), memories, 106 * MINUTE)

    assert [round_.due[f"model.p.{name}"].due for name in "ab"] == [True, False]


def test_wrong_schedules_are_reported() -> None:
    """With the model's name, before dbt refuses it."""
    nodes = nodes_of(manifest(a=("stream_table", {"schedule": "5 min"}, []), b=("view", {"schedule": "soon"}, [])))

    (told,) = schedule_faults(nodes)
    assert told.startswith("a: `schedule: 5 min` is not allowed") and told.endswith("the nearest is `5m`.")


def test_an_invocation_is_decided_once(tmp_path: Path) -> None:
    """All its nodes get the same result; another invocation is decided again, and old ones are dropped."""
    rounds = DueTablesByInvocation()
    judged: list[str] = []

    def judge(name: str) -> DueTables:
        judged.append(name)
        return due_tables_of(project(tmp_path, CHAIN), tick=len(judged))

    first = rounds.of("one", lambda: judge("one"))
    again = rounds.of("one", lambda: judge("one again"))
    for name in ("two", "three", "four", "five"):
        rounds.of(name, lambda name=name: judge(name))  # type: ignore[misc]
    rounds.of("one", lambda: judge("one anew"))

    assert first is again
    assert judged == ["one", "two", "three", "four", "five", "one anew"]
