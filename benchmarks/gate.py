"""What got slower between two results of the same kind: `tpch.json` of two measurements, or two outputs of quick.py.

python benchmarks/gate.py BEFORE AFTER [--margin 1.2] [--least 0.1]

Every way of ours is compared with the plain table measured beside it, so that a slower machine slows both: what counts
is the ratio of the two ratios. Exit code 1 if anything got slower. For use by hand: it says what to look at, and noise
is in both results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONTROLS = {"tpch": "table", "quick": "create"}
"""Kind of result → what it measures that is no code of ours."""

WAYS = ("auto", "full", "incremental")


@dataclass(frozen=True)
class Timing:
    """The median of a way, beside that of the control in the same run."""

    seconds: float
    control: float


@dataclass(frozen=True)
class Comparison:
    """One way before and after."""

    name: str
    before: Timing
    after: Timing

    @property
    def expected(self) -> float:
        """The seconds it would take after, if it had changed as the control did."""
        return self.before.seconds * self.after.control / self.before.control

    @property
    def factor(self) -> float:
        """Above 1 it got slower."""
        return self.after.seconds / self.expected

    def is_slower(self, margin: float, least: float) -> bool:
        """By more than noise: a share of the time, and at least some seconds."""
        return self.factor > margin and self.after.seconds - self.expected > least

    def is_faster(self, margin: float, least: float) -> bool:
        return self.factor < 1 / margin and self.expected - self.after.seconds > least


def main(arguments: Sequence[str]) -> int:
    options = _read(arguments)
    before, after = _document(options.before), _document(options.after)
    refusal = incomparable(before, after)
    if refusal:
        print(refusal, file=sys.stderr)
        return 2
    old, new = (dict(timings(result, options.measure)) for result in (before, after))
    compared = [Comparison(name, old[name], new[name]) for name in old if name in new]
    slower = [one for one in compared if one.is_slower(options.margin, options.least)]
    faster = [one for one in compared if one.is_faster(options.margin, options.least)]
    for word, found in (("slower", slower), ("faster", faster)):
        for one in sorted(found, key=lambda one: one.factor, reverse=word == "slower"):
            print(
                f"{word}: {one.name}: {one.factor:.2f} × the {one.expected:.2f} s expected, {one.after.seconds:.2f} s"
            )
    for word, names in (("only before", old.keys() - new.keys()), ("only after", new.keys() - old.keys())):
        if names:
            print(f"{word}: {', '.join(sorted(names))}")
    print(f"{len(compared)} compared, {len(slower)} slower and {len(faster)} faster by more than {options.margin:g} ×")
    return 1 if slower else 0


def timings(result: Mapping[str, Any], measure: str) -> Iterator[tuple[str, Timing]]:
    """Name → timing of every way that has a control beside it."""
    control = CONTROLS[result["kind"]]
    for name, ways in _measured(result):
        medians = {way: values["median"][measure] for way, values in ways.items() if values["median"]}
        for way in WAYS:
            if way in medians and medians.get(control) and medians[way]:
                yield f"{name} {way}", Timing(medians[way], medians[control])


def incomparable(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Why the two are not to be compared, or nothing."""
    kinds = [result.get("kind") for result in (before, after)]
    if kinds[0] != kinds[1] or kinds[0] not in CONTROLS:
        return f"Results of {kinds[0]} and {kinds[1]}: compare two of {' or two of '.join(CONTROLS)}."
    for name in ("scale", "clustered"):
        values = [result.get("settings", {}).get(name) for result in (before, after)]
        if values[0] != values[1]:
            return f"One was measured with {name} {values[0]}, the other with {values[1]}: compare equal ones."
    return ""


def _measured(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if result["kind"] == "quick":
        for cell in result["cells"]:
            yield f"{cell['cell']} × {cell['rows']}", cell["ways"]
        return
    for regime in result["regimes"]:
        for query in regime["queries"]:
            yield f"{regime['regime']} {regime['percent']:g} % {query['query']}", query["ways"]


def _document(file: Path) -> Mapping[str, Any]:
    """The JSON object on the last line: quick.py prints a table before it."""
    lines = file.read_text("utf-8").split("\n")
    found = json.loads(next((line for line in reversed(lines) if line.strip()), "null"))
    if not isinstance(found, dict):
        raise SystemExit(f"{file} does not end in a result: give a tpch.json, or the output of quick.py.")
    return found


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--margin", type=float, default=1.2, help="what is slower by less is noise")
    parser.add_argument("--least", type=float, default=0.1, help="seconds; less is noise, however large the ratio")
    parser.add_argument("--measure", choices=["wall", "cpu"], default="wall")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
