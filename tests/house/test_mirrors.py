"""Every file of the engine is tested: by a test of its own name, or by the law its package answers to."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine" / "trickle"

ANSWERS_TO = {
    "aggregates": "laws/test_apply.py",
    "apply": "laws/test_apply.py",
    "catalog": "laws/test_crash.py",
    "delta": "laws/test_delta.py",
    "graph": "graph/test_demand.py",
    "lower": "laws/test_lower.py",
    "layouts": "laws/test_apply.py",
    "plan": "laws/test_purity.py",
    "planning": "laws/test_crash.py",
    "render": "laws/test_render.py",
    "rewrite": "laws/test_rewrite.py",
    "schedule": "schedule/test_due.py",
    "sql": "laws/test_render.py",
    "__init__.py": "house/test_exports.py",
    "functions": "functions/test_functions.py",
    "types": "types/test_round_trip.py",
    "errors.py": "laws/test_crash.py",
    "options.py": "laws/test_rewrite.py",
    "reasons.py": "house/test_documents.py",
}
"""Package or file → the test that fails when it is wrong. A new package is not covered until it stands here."""

FILES = sorted(path.relative_to(ENGINE) for path in ENGINE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_file_of_the_engine_is_tested(path: Path) -> None:
    """A mirror in tests/, or a law."""
    mirror = ROOT / "tests" / path.parent / f"test_{path.name}"
    law = ANSWERS_TO.get(path.parts[0])
    in_operators = path.parts[0] == "operators" and path.name in ("__init__.py", "affected.py", "one_row.py")

    assert mirror.is_file() or in_operators or (law is not None and (ROOT / "tests" / law).is_file()), mirror
