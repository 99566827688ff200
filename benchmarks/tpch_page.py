"""The results of TPC-H as JSON, as Markdown, and as the block of a page with its plots."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.journal import Record
from benchmarks.plot import bars
from benchmarks.tpch_project import VARIANTS
from benchmarks.tpch_results import document

Document = Mapping[str, Any]


def publish(records: Sequence[Record], file: Path, page: Path | None) -> str:
    """Write the JSON on one line and, if asked, the page's block and plots. The Markdown is returned."""
    results = document(records)
    file.write_text(json.dumps(results) + "\n", "utf-8")
    if page is not None:
        page.write_text(with_block(page.read_text("utf-8"), results, page.stem), "utf-8")
        folder = page.with_suffix("")
        folder.mkdir(exist_ok=True)
        for name, drawing in plots(results).items():
            (folder / name).write_text(drawing, "utf-8")
    return markdown(results)


def with_block(page: str, results: Document, folder: str) -> str:
    """The page with the block of the results' scale factor replaced; it lies between two comments."""
    scale = results["settings"].get("scale", "")
    block = re.compile(rf"(<!-- tpch: {re.escape(scale)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not block.search(page):
        raise SystemExit(
            f"The page has no block for scale factor {scale}: add <!-- tpch: {scale} --> and <!-- end -->."
        )
    return block.sub(lambda found: f"{found[1]}{markdown(results, folder)}\n{found[2]}", page)


def plots(results: Document) -> dict[str, str]:
    """File name → SVG: the ratios of every regime."""
    drawn = {}
    for regime in results["regimes"]:
        ratios = {one["query"]: one["ratio"]["wall"] for one in _changed(regime) if one["ratio"]}
        title = f"Better of full and table / auto: scale factor {_scale(results)}, {_title(regime)}"
        if ratios:
            drawn[_plot_file(results, regime)] = bars(title, ratios)
    return drawn


def markdown(results: Document, folder: str | None = None) -> str:
    """Machine, then for every regime its figures and a table; the plots only where a folder for them is named."""
    if not results["regimes"]:
        return "Nothing was measured to its end.\n"
    drawn = plots(results) if folder is not None else {}
    parts = [_machine(results)]
    for regime in results["regimes"]:
        file = _plot_file(results, regime)
        parts.append(f"#### Scale factor {_scale(results)}, {_title(regime)}")
        parts.append(_sentences(regime))
        parts += [f"![ratios]({folder}/{file})"] if file in drawn else []
        parts.append(_table(regime))
    return "\n\n".join(parts) + "\n"


def _machine(results: Document) -> str:
    machine, settings = results["machine"], results["settings"]
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items())
    commits = _list(list(dict.fromkeys(run["commit"] for run in results["runs"])))
    load = f"{results['runs'][0]['at'][:10]}, load at most {_number(results['load'])}"
    hardware = f"{machine['processor']}, {machine['cores']} cores, {machine['memory']:g} GB, heap {settings['memory']}"
    return f"{hardware}; {versions}; commit {commits}; {load}. {_exactness(results['checks'])}"


def _exactness(checks: Document) -> str:
    if not checks["tables"]:
        return "Contents were not compared in this run."
    differing = checks["differing"]
    verdict = f"{len(differing)} differed: {_list(differing)}" if differing else "all exact"
    return f"Stream tables compared with their queries: {checks['tables']}, {verdict}."


def _sentences(regime: Document) -> str:
    figures = regime["summary"]
    mean, over = figures["geometric_mean"], figures["full_over_table"]
    rounds = max(len(way["rounds"]) for one in regime["queries"] for way in one["ways"].values())
    lines = [
        f"Medians of {rounds} round{'s' * (rounds > 1)}. {figures['compared']} of {figures['queries']} queries are "
        f"compared; no table changed for: {_list(figures['unchanged'])}.",
        f"Better of full and table / auto: geometric mean {_number(mean['wall'])} (CPU {_number(mean['cpu'])}); "
        f"{figures['at_least_3']} at 3 or more, {figures['at_least_2']} at 2 or more; "
        f"below 1/1.1: {_list(figures['worse'])}.",
        f"Wrong choices of auto: {len(figures['wrong_choices'])} of {figures['compared']} "
        f"({_list(figures['wrong_choices'])}). Full / table: {_number(over)}.",
    ]
    lines += [f"Failed, and left out: {_list(figures['failed'])}."] if figures["failed"] else []
    return "\n".join(f"- {line}" for line in lines)


def _table(regime: Document) -> str:
    ways = [name for name in VARIANTS if any(name in one["ways"] for one in regime["queries"])]
    lines = [f"| query | {' | '.join(ways)} | ratio | ratio of CPU | auto took |", "|---" * (len(ways) + 4) + "|"]
    for one in regime["queries"]:
        cells = [_number((one["ways"].get(name, {}).get("median") or {}).get("wall")) for name in ways]
        ratio = one["ratio"] if one["ratio"] and not one["unchanged"] else {}
        took = one["ways"].get("auto", {}).get("took", "") + (" (wrong)" if one["wrong_choice"] else "")
        cells += [_number(ratio.get("wall")), _number(ratio.get("cpu")), took]
        lines.append(f"| {one['query']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _changed(regime: Document) -> list[Document]:
    return [one for one in regime["queries"] if not one["unchanged"]]


def _scale(results: Document) -> str:
    return str(results["settings"]["scale"])


def _title(regime: Document) -> str:
    return f"{regime['regime']} {regime['percent']:g} %"


def _plot_file(results: Document, regime: Document) -> str:
    return f"tpch_sf{_scale(results)}_{regime['regime']}_{regime['percent']:g}.svg"


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
