"""What every generated or partly generated document must hold."""

from __future__ import annotations

from pathlib import Path

from tests.documents.aggregates import states_table
from tests.documents.blocks import fill, snapshot
from tests.documents.cases import CASES, own_cases
from tests.documents.clock import clock_table
from tests.documents.operators import ROOT, table
from tests.documents.reasons import reasons_page
from tests.simulation.lag import lag_table

WRITERS = {
    "snapshot": snapshot,
    "states": states_table,
    "operators": table,
    "cases": own_cases,
    "clock": clock_table,
    "lag": lag_table,
}


def written() -> dict[Path, str]:
    """File → text, for every document that the code has a part in."""
    docs = ROOT / "docs"
    files = [CASES / "README.md", docs / "maintained.md", docs / "applying.md", docs / "schedules.md"]
    files += [*sorted((docs / "operators").glob("*.md"))]
    found = {file: fill(file.read_text("utf-8"), WRITERS) for file in files}
    found[docs / "reasons.md"] = reasons_page()
    return found
