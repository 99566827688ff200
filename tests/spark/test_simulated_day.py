"""A few ticks of the simulated day on Spark: the twelve models, their schedules, threads, and somebody who writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from tests.simulation.dag import BASES, BY_NAME, MODELS, STREAMS, Model, Rows
from tests.simulation.run import flat
from tests.spark.clock import Clock, clock
from tests.spark.dbt_project import Project

pytestmark = [pytest.mark.spark, pytest.mark.night]

__all__ = ["clock"]

TICKS = (("2026-11-19 00:00:03", "1"), ("2026-11-19 00:15:01", "2"), ("2026-11-19 06:00:20", "4"))
"""When a run starts, and with how many threads: the last one finds every schedule due."""

EPHEMERAL_CTE = re.compile(r"^WITH __dbt__cte__grown AS \(.*?\) ")


class Tables:
    """The tables of the warehouse at versions."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[tuple[str, int], Rows] = {}

    def rows_at(self, table: str, version: int) -> Rows:
        if (table, version) not in self._known:
            rows = self._project.sql(f"select a, b from {{s}}.{table} version as of {version}")
            self._known[table, version] = Counter((a, b) for a, b in rows)
        return self._known[table, version]


def in_jinja(model: Model) -> str:
    """A model's SQL as a dbt project writes it."""
    text = EPHEMERAL_CTE.sub("", model.sql).replace("__dbt__cte__grown", "s.grown")
    text = re.sub(
        r"\bs\.(\w+)",
        lambda name: f"{{{{ source('raw', '{name[1]}') }}}}" if name[1] in BASES else f"{{{{ ref('{name[1]}') }}}}",
        text,
    )
    schedule = f", schedule='{model.schedule}'" if model.schedule else ""
    return f"{{{{ config(materialized='{model.kind}'{schedule}) }}}}\n{text}"


@pytest.fixture
def day(shop: Project) -> Project:
    for name in ("orders", "totals"):
        (shop.root / "models" / f"{name}.sql").unlink()
    tables = ", ".join(f"{{name: {name}}}" for name in BASES)
    shop.write(
        "models/schema.yml", f"sources: [{{name: raw, schema: '{{{{ target.schema }}}}', tables: [{tables}]}}]\n"
    )
    for name in BASES:
        shop.sql(
            f"create table {{s}}.{name} (a int, b string) using delta",
            f"insert into {{s}}.{name} select int(id), substr('xyz', 1 + int(id % 3), 1) from range(9)",
        )
    for model in MODELS:
        shop.model(model.name, in_jinja(model))
    return shop


@contextmanager
def somebody_writing(project: Project) -> Iterator[None]:
    """Rows come into both sources all the time."""
    enough = Event()

    def write() -> None:
        number = 0
        while not enough.wait(1.5):
            number += 1
            project.sql(f"insert into {{s}}.{BASES[number % 2]} values ({number % 10}, 'y')")

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        enough.set()
        writer.join()


def test_ticks_of_a_day(day: Project, clock: Clock) -> None:
    """After every tick every table equals its query at its vector, and what the tick refreshed shares one."""
    vectors: dict[str, Mapping[str, int]] = {}
    for tick, threads in TICKS:
        clock.set(tick)
        with somebody_writing(day):
            ran = day.dbt("run", "--threads", threads)
        assert ran.success
        refreshed = [model.name for model in STREAMS if ran.action(model.name) != "SKIP"]
        together: dict[str, set[int]] = {}
        for name in refreshed:
            vector = {table.partition(".")[2]: at for table, at in ran.response(name)["vector"].items()}
            vectors[name] = vector
            for base, version in vector.items():
                together.setdefault(base, set()).add(version)
        assert all(len(versions) == 1 for versions in together.values()), together
        tables = Tables(day)
        for name, vector in vectors.items():
            stored = Counter((a, b) for a, b in day.rows(name))
            assert stored == flat(tables, name, vector), f"{name} at {tick}"

    assert set(vectors) == {model.name for model in STREAMS} and set(vectors) < set(BY_NAME)
    assert {ran.action(name) for name in vectors}.isdisjoint({"SKIP"}), "at six every schedule is due"
