"""The freshness test, source freshness and the catalog's statistics, from logs alone."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from dbt.adapters.trickle.history.delta_files import DeltaLog, LogUnreadable
from dbt.adapters.trickle.monitoring.catalog import statistics
from dbt.adapters.trickle.monitoring.freshness import last_change, overdue
from dbt.adapters.trickle.project import ProjectError
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED
from tests.adapter.fabricated import FabricatedProject
from tests.adapter.log_builder import LogBuilder


@pytest.fixture
def made(tmp_path: Path) -> FabricatedProject:
    project = FabricatedProject(tmp_path)
    project.source("s")
    project.model("t", "stream_table", ("s",))
    project.model("never", "stream_table", ("s",))
    project.refresh("t")
    project.save()
    return project


def test_a_table_within_its_target_passes(made: FabricatedProject) -> None:
    """It is fresh while its sources do not change, and within the target up to the allowed lag."""
    assert overdue(made.loaded(), ("shop", "t"), "1s", made.clock + 10**9) is None

    made.write("s")

    assert overdue(made.loaded(), ("shop", "t"), "1m", made.clock + 60_000) is None
    late = overdue(made.loaded(), ("shop", "t"), "1m", made.clock + 60_001)
    assert late is not None
    assert (late["relation"], late["allowed"], late["lag"]) == ("shop.t", "1m", "1m")
    assert "raw.s changed" in late["detail"]


def test_the_schedule_is_the_target_without_max_lag(made: FabricatedProject) -> None:
    """Without both, the error says what the test needs."""
    with pytest.raises(ProjectError, match="has no schedule that limits how old its rows may become"):
        overdue(made.loaded(), ("shop", "t"), None, made.clock)

    made.nodes["model.p.t"]["config"]["schedule"] = "1h"
    made.save()
    made.write("s")

    assert overdue(made.loaded(), ("shop", "t"), None, made.clock + 3_600_000) is None
    assert overdue(made.loaded(), ("shop", "t"), None, made.clock + 3_601_000) is not None


def test_a_table_that_was_never_built_is_not_fresh(made: FabricatedProject) -> None:
    late = overdue(made.loaded(), ("shop", "never"), "1d", made.clock)

    assert late is not None and late["lag"] == "never built"


@pytest.mark.parametrize("max_lag", ["soon", "0 3 * * *", "0s", "5 minutes"])
def test_a_wrong_max_lag_is_refused(made: FabricatedProject, max_lag: str) -> None:
    with pytest.raises(ProjectError, match="write a duration such as"):
        overdue(made.loaded(), ("shop", "t"), max_lag, made.clock)


def test_rows_changed_when_the_last_commit_changed_them(tmp_path: Path) -> None:
    """Maintenance and properties do not count; a stream table has the time of its storage; no log is an error."""
    table = LogBuilder(tmp_path / "raw" / "t").create().append("f")
    changed = table.clock
    table.commit("OPTIMIZE", table.add("g", data_change=False))
    LogBuilder(tmp_path / "raw" / "m__trickle").create().append("f")

    def log_of(name: tuple[str, str]) -> DeltaLog:
        return DeltaLog(tmp_path / name[0] / name[1])

    assert last_change(("raw", "t"), log_of) == datetime.fromtimestamp(changed / 1000, timezone.utc)
    assert last_change(("raw", "m"), log_of).timestamp() > 0
    with pytest.raises(LogUnreadable, match="give the source a `loaded_at_field`"):
        last_change(("raw", "nowhere"), log_of)


def test_the_catalog_shows_mode_and_last_refresh(made: FabricatedProject) -> None:
    """In the four parts that dbt reads of each entry; none for other tables and damaged logs."""
    made.refresh("t", **{MAINTAINED: "recompute", BECAUSE: {"window_over_everything": "It looks at all rows."}})
    told = statistics(DeltaLog(made.logs["t"].path), "UTC")

    assert told["stats:maintained:value"] == "recompute"
    assert told["stats:maintained:description"] == "It looks at all rows."
    assert told["stats:last_refresh:value"].endswith("APPEND only_added")
    names = {key.split(":")[1] for key in told}
    assert set(told) == {
        f"stats:{name}:{part}" for name in names for part in ("label", "value", "description", "include")
    }
    assert statistics(DeltaLog(made.logs["s"].path), "UTC") == {}
    (made.logs["t"].log / f"{made.logs['t'].version:020d}.json").write_text("{")
    assert statistics(DeltaLog(made.logs["t"].path), "UTC") == {}
