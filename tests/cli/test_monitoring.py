"""`dbt-trickle status`, `history` and `graph`: readable at every width and with any number of tables, and JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.storages.stamp_fields import BECAUSE, MAINTAINED
from dbt.adapters.trickle.storages.table_properties import ERRORS, RETIRED, STATUS
from tests.adapter.fabricated import FIELDS, FabricatedProject, chain, random_project
from tests.adapter.log_builder import metadata, remove

LONG = "revenue_by_customer_and_day_and_market_and_channel_with_a_name_nobody_would_write"


@pytest.fixture
def project(tmp_path: Path) -> FabricatedProject:
    """One source, one view, one stream table that was refreshed and one that never was."""
    return chain(tmp_path, "t")


def answer(made: FabricatedProject, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    command, *rest = words
    assert main([command, *rest, *made.place]) == 0
    return capsys.readouterr().out


def table(made: FabricatedProject, capsys: pytest.CaptureFixture[str], name: str) -> dict[str, Any]:
    """A table in the output of status --format json."""
    tables = json.loads(answer(made, capsys, "status", "--format", "json"))["tables"]
    return next(dict(one) for one in tables if one["name"] == name)


def test_status_shows_state_lag_and_last_refresh(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line per table, and below it a sentence for each that needs attention."""
    assert re.search(r"^t +fresh +0 .* FULL first_build +incremental +100 ", answer(project, capsys, "status"), re.M)

    project.write("s")
    shown = answer(project, capsys, "status")

    assert "p: 2 stream tables, 1 behind, 1 never built" in shown
    assert re.search(r"^t +behind +\d\S* .* FULL first_build +incremental +100 ", shown, re.M)
    assert re.search(r"^u +never built +·", shown, re.M)
    assert "  t: raw.s changed and has not been read since." in shown


def test_status_as_json_has_everything(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Instants in ISO 8601, durations in seconds, nulls for missing values."""
    told = table(project, capsys, "t")

    assert told["relation"] == "shop.t"
    assert (told["state"], told["lag"], told["behind"], told["target_lag"]) == ("fresh", 0, None, None)
    assert told["last_refresh"]["action"] == "FULL"
    assert told["last_refresh"]["sentence"] == "The table does not exist yet."
    assert told["last_refresh"]["sources"] == {"raw.s": 1}
    assert (told["rows"], told["stored_rows"], told["files"]) == (100, 100, 1)
    assert 0 < told["hidden_share"] < 1
    assert (told["errors_in_a_row"], told["suspended"]) == (0, False)
    assert table(project, capsys, "u")["last_refresh"] is None


def test_arrangements_are_shown_with_their_space(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what changed below them counts as unread; they are no tables of the project."""
    name = "t__part_1a2b3c4d5e6f"
    project.model(name, "stream_table", ("s",))
    project.refresh(name, rows=30)
    project.nodes["model.p.t"]["depends_on"]["nodes"] = [f"model.p.{name}"]
    project.refresh("t")
    del project.nodes[f"model.p.{name}"]
    project.save()

    assert re.search(rf"^Arrangements\n  {name}: 30 rows, \d\S* ", answer(project, capsys, "status"), re.M)
    told = table(project, capsys, "t")
    assert told["arrangements"][name]["rows"] == 30 and told["arrangements"][name]["bytes"] > 0
    assert told["state"] == "fresh"

    project.write("s")

    assert table(project, capsys, "t")["state"] == "behind"


def test_a_table_is_late_by_its_schedule_or_its_readers(
    project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind longer than its schedule allows is late; a table without one gets that of its readers."""
    project.nodes["model.p.u"]["config"]["schedule"] = "1h"
    project.refresh("u")
    project.save()
    project.write("s")

    told = table(project, capsys, "t")
    assert (told["state"], told["schedule"], told["target_lag"]) == ("late", "calculated: target lag 1h", 3600)
    assert (table(project, capsys, "u")["state"], table(project, capsys, "u")["schedule"]) == ("late", "target lag 1h")

    project.nodes["model.p.u"]["config"]["schedule"] = "1d"
    project.save()
    assert table(project, capsys, "t")["state"] == "behind"

    project.nodes["model.p.u"]["config"]["schedule"] = "now and then"
    project.save()
    assert (table(project, capsys, "u")["target_lag"], table(project, capsys, "u")["schedule"]) == (
        None,
        "now and then",
    )


def test_why_a_table_is_recomputed(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """The mode is recompute, and the sentence names the part of the query that causes it."""
    sentence = "line 3, column 8: row_number() without PARTITION BY looks at all rows."
    project.refresh("t", **{MAINTAINED: "recompute", BECAUSE: {"window_over_everything": sentence}})

    assert f"Recomputed, because\n  t: {sentence}" in answer(project, capsys, "status")
    assert table(project, capsys, "t")["because"] == {"window_over_everything": sentence}


def test_a_failed_run_is_shown(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """A failure writes nothing into the log; it is read from dbt's results, unless they are older."""
    failed: dict[str, Any] = {"unique_id": "model.p.t", "status": "error", "message": "no\nsuch column", "timing": []}
    file = project.folder / "target" / "run_results.json"
    file.write_text(json.dumps({"results": [failed, {**failed, "unique_id": "model.p.u"}]}))

    told = table(project, capsys, "t")
    assert (told["state"], told["detail"], told["errors_in_a_row"]) == ("failed", "no such column", 1)
    assert table(project, capsys, "u")["state"] == "failed"

    failed["timing"] = [{"completed_at": "2001-01-01T00:00:00.5Z"}]
    file.write_text(json.dumps({"results": [failed]}))
    assert table(project, capsys, "t")["state"] == "fresh"

    file.write_text("{")
    assert table(project, capsys, "t")["last_run"] is None


def test_states_of_the_storage(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Consecutive errors, suspended, and retired: then the model is no stream table any more."""
    project.logs["t"].commit("SET", metadata(table_id="t", fields=FIELDS, **{ERRORS: "3", STATUS: "suspended"}))
    told = table(project, capsys, "t")
    assert (told["state"], told["errors_in_a_row"], told["suspended"]) == ("suspended", 3, True)

    project.logs["t"].commit("SET", metadata(table_id="t", fields=FIELDS, **{RETIRED: "true"}))
    assert table(project, capsys, "t")["state"] == "never built"


def test_a_broken_log_breaks_one_line(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own table reports it in a sentence, and the others are shown."""
    project.refresh("u")
    (project.logs["t"].log / f"{0:020d}.json").write_text('{"commitInfo": ')
    told = table(project, capsys, "t")

    assert told["state"] == "broken"
    assert re.match(r"the commit \S+ is damaged \(JSONDecodeError: .*\)", told["detail"])
    assert table(project, capsys, "u")["detail"] == "Whether shop.t changed since then cannot be determined from logs."
    assert main(["history", "t", *project.place]) == 2
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_fifty_tables_fit_the_window(
    tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line is longer than the window, with long names as well, and every table has its line."""
    made = random_project(tmp_path, 50)
    made.model(LONG, "stream_table", ("stg_events_0",), schedule="1h30m")
    made.save()
    monkeypatch.setenv("COLUMNS", str(width))

    lines = answer(made, capsys, "status").splitlines()

    body = lines[3 : 3 + 51]
    assert max(len(line) for line in lines[2:]) <= width
    assert sum(line.startswith(("revenue", "daily", "weekly", "sales", "open")) for line in body) == 51
    assert max(len(line) for line in answer(made, capsys, "graph").splitlines()) <= width


def test_no_tables_and_no_warehouse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence each."""
    made = FabricatedProject(tmp_path)
    made.save()
    for command in ("status", "graph"):
        assert "p has no stream tables: set" in answer(made, capsys, command)

    made.model("t", "stream_table", ())
    made.save()
    assert "There is no warehouse at" in answer(made, capsys, "status")
    assert answer(made, capsys, "history", "t") == "shop.t was never built: `dbt run` builds it.\n"


def test_history_is_one_line_a_refresh(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Newest first, with the versions it went from and to; a FULL has its sentence below."""
    project.write("s")
    project.refresh("t", rows=1234)

    shown = answer(project, capsys, "history", "shop.T")

    assert "shop.t: 2 refreshes, the newest first · times in UTC" in shown
    assert re.search(r"^ +1  \S+ \S+  APPEND  1,234  ·  ·  +\d+\.\d  append  only_added   s 1→2$", shown, re.M)
    assert re.search(r"^ +0  \S+ \S+  FULL      100  ·  ·  +\d+\.\d  create  first_build  s 1$", shown, re.M)
    assert shown.endswith("\n\n  0 FULL: The table does not exist yet.\n")
    newest = json.loads(answer(project, capsys, "history", "t", "--limit", "1", "--format", "json"))["refreshes"]
    assert [(one["rows_inserted"], one["sources"]) for one in newest] == [
        (1234, [{"source": "raw.s", "before": 1, "after": 2}])
    ]


def test_foreign_commits_are_in_the_history(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """They explain the rebuild that follows."""
    project.logs["t"].commit("DELETE", remove("part-0.parquet", rows=100))

    assert "1 FOREIGN: A DELETE that is not ours: the next run rebuilds the table." in answer(
        project, capsys, "history", "t"
    )


def test_the_graph_is_a_tree_below_each_end(project: FabricatedProject, capsys: pytest.CaptureFixture[str]) -> None:
    """The ancestors of a table, through views down to sources; a subtree that was shown is only named again."""
    project.model("w", "stream_table", ("t",), schedule="5m")
    project.model("only_read_by_people", "table", ("t",))
    project.save()

    assert answer(project, capsys, "graph").splitlines() == [
        "u               auto · never built",
        "└─ t            incremental · target lag 5m · fresh",
        "   └─ v         view",
        "      └─ raw.s  source",
        "w               auto · target lag 5m · never built",
        "└─ t            see above",
    ]


class Page(HTMLParser):
    """Tags of a page, and every place it would load something from."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "g":
            self.boxes.append(given.get("data-name") or "")
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]
        if tag not in ("meta", "input", "rect", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "path"):
            assert self.open.pop() == tag


@pytest.mark.parametrize("tables", [1, 5, 200])
def test_the_page_has_every_node_and_loads_nothing(
    tmp_path: Path, tables: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """One file: no network, no script from elsewhere; each node once; names are escaped."""
    made = random_project(tmp_path, tables)
    made.model("a<b>&c", "stream_table", ("stg_events_0",))
    made.save()
    file = tmp_path / "page.html"

    said = answer(made, capsys, "graph", "--html", str(file))

    page = Page()
    page.feed(file.read_text("utf-8"))
    assert page.loads == []
    assert page.open == []
    assert "a<b>&c" in page.boxes
    assert len(page.boxes) == len(set(page.boxes))
    assert f"{len(page.boxes)} nodes, {tables + 1} of them stream tables" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["history", "tt"], "There is no stream table tt; did you mean t?"),
        (["history", "v"], "v is a view, not a stream table."),
        (["status", "--target", "prod"], "has no target `prod`"),
        (["graph", "--html", "/nowhere/page.html"], "the page cannot be written (No such file or directory)"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], sentence: str, project: FabricatedProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what to do on standard error."""
    assert main([*words, *project.place]) == 2

    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_nothing_heavy_is_imported(project: FabricatedProject) -> None:
    """dbt and PySpark take seconds to import; monitoring needs neither, nor a Java, nor what verifies."""
    script = (
        "import sys; from dbt.adapters.trickle.cli import main\n"
        f"for words in (['status'], ['history', 't'], ['graph']): main(words + {project.place!r})\n"
        "heavy = ('dbt.cli', 'dbt.adapters.base', 'pyspark', 'py4j', 'dbt.adapters.trickle.cli.verify.verdicts')\n"
        "print(*(name for name in heavy if name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stderr.split() == []
