"""Results as Markdown, as a block of a page, and as plots."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.plot import FASTER, SLOWER, bars
from benchmarks.tpch_page import markdown, plots, publish, with_block
from benchmarks.tpch_results import document
from tests.benchmarks.test_tpch_results import journal, ways

PAGE = "# P\n\n<!-- tpch: 1 -->\nnothing yet\n<!-- end -->\n\n<!-- tpch: 10 -->\nnothing yet\n<!-- end -->\n"
RECORDS = journal(
    {"q01": ways(1.0, 1.0, 4.0, 5.0), "q02": ways(4.0, 2.0, 2.0, 3.0), "q03": ways(0.1, 0.1, 2.0, 2.0)},
    actions={"q03": "NO_DATA"},
)
RESULTS = document(RECORDS)


def test_every_query_has_a_line() -> None:
    """Seconds of each variant, the ratio, what auto took, and whether that was wrong."""
    lines = markdown(RESULTS).splitlines()

    assert "| q01 | 1.00 | 1.00 | 4.00 | 5.00 | 4.00 | 4.00 | INCREMENTAL merge |" in lines
    assert "| q02 | 4.00 | 2.00 | 2.00 | 3.00 | 0.50 | 0.50 | INCREMENTAL merge (wrong) |" in lines
    assert "| q03 | 0.10 | 0.10 | 2.00 | 2.00 | – | – | NO_DATA |" in lines


def test_the_figures_are_said_before_the_table() -> None:
    """What is left out, what is worse and what was chosen wrongly are named, and that nothing was compared."""
    text = markdown(RESULTS)

    assert "2026-11-20, load at most 1.50." in text
    assert "Medians of 1 round. 2 of 3 queries are compared; no table changed for: q03." in text
    assert "geometric mean 1.41 (CPU 1.41); 1 at 3 or more, 1 at 2 or more; below 1/1.1: q02." in text
    assert "Wrong choices of auto: 1 of 2 (q02)." in text
    assert "Contents were not compared in this run." in text


def test_tables_that_differed_are_named() -> None:
    """Figures of wrong tables are worth nothing."""
    check = {"kind": "check", "round": 1, "query": "q01"}
    right, wrong = {**check, "variant": "auto", "differences": []}, {**check, "variant": "full", "differences": ["+ 1"]}

    exact, differing = markdown(document([*RECORDS, right])), markdown(document([*RECORDS, right, wrong]))

    assert "Stream tables compared with their queries: 1, all exact." in exact
    assert "Stream tables compared with their queries: 2, 1 differed: q01 full, round 1." in differing


def test_a_measurement_without_a_whole_round_says_so() -> None:
    """Not an empty table."""
    assert markdown(document([])) == "Nothing was measured to its end.\n"


def test_only_the_block_of_the_scale_is_replaced() -> None:
    """The other scale's figures are of another run."""
    page = with_block(PAGE, RESULTS, "p")

    assert "| q01 | 1.00" in page
    assert page.endswith("<!-- tpch: 10 -->\nnothing yet\n<!-- end -->\n")
    assert with_block(page, RESULTS, "p") == page


def test_a_page_without_the_block_is_refused() -> None:
    """The message says what to add."""
    with pytest.raises(SystemExit, match="no block for scale factor 1: add <!-- tpch: 1 -->"):
        with_block("# P\n", RESULTS, "p")


def test_one_command_writes_json_page_and_plots(tmp_path: Path) -> None:
    """Every image that the page shows is there."""
    page = tmp_path / "p.md"
    page.write_text(PAGE)

    publish(RECORDS, tmp_path / "tpch.json", page)

    assert json.loads((tmp_path / "tpch.json").read_text())["kind"] == "tpch"
    assert "![ratios](p/tpch_sf1_append_0.1.svg)" in page.read_text()
    assert (tmp_path / "p" / "tpch_sf1_append_0.1.svg").read_text().startswith("<svg")


def test_unchanged_queries_are_in_no_plot() -> None:
    """They would have the longest bars."""
    (drawing,) = plots(RESULTS).values()

    assert "q02" in drawing
    assert "q03" not in drawing


def test_a_bar_goes_from_one_to_its_ratio() -> None:
    """To the right in one colour when faster, to the left in another when slower; equal ratios have equal lengths."""
    root = ElementTree.fromstring(bars("a < b", {"fast": 4.0, "slow": 0.25}))
    fast, slow = [rect.attrib for rect in root.iter("{http://www.w3.org/2000/svg}rect")][1:]

    assert (fast["fill"], slow["fill"]) == (FASTER, SLOWER)
    assert float(slow["x"]) + float(slow["width"]) == pytest.approx(float(fast["x"]), abs=0.2)
    assert float(slow["width"]) == pytest.approx(float(fast["width"]), abs=0.2)


def test_ratios_beyond_the_axis_have_bars_as_well() -> None:
    """The axis grows with them."""
    root = ElementTree.fromstring(bars("t", {"far": 1000.0, "near": 0.001}))

    assert all(float(rect.attrib["width"]) > 0 for rect in root.iter("{http://www.w3.org/2000/svg}rect"))
