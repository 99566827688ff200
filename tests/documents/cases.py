"""The table of the project's own cases: what each says about itself in its first lines."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

from tests.documents.operators import ROOT

CASES = ROOT / "tests" / "cases"
_SCENARIO = re.compile(r"[A-Z]\d+[a-z]?")


def own_cases(_: str) -> str:
    """All that are not called by the id of a scenario, which the tables above name."""
    own = [file for file in sorted(CASES.glob("*/*.case")) if not _SCENARIO.fullmatch(file.stem)]
    return "\n".join(["| case | why |", "|---|---|", *(_row(file) for file in own), ""])


def _row(file: Path) -> str:
    name = file.relative_to(CASES).as_posix()
    comments = takewhile(lambda line: line.startswith("#"), file.read_text("utf-8").splitlines())
    why = " ".join(line.removeprefix("#").strip() for line in comments)
    assert why, f"{name} begins with no comment"
    return f"| [{name}]({name}) | {why.replace('|', chr(92) + '|')} |"
