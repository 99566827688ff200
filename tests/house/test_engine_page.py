"""The page of the engine: its example runs as printed, and it explains every public name."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import trickle

PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
_EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
_NAME = re.compile(r"^\| `(\w+)` \| \S", re.MULTILINE)


def test_the_example_prints_what_the_page_shows() -> None:
    """It needs nothing but the engine."""
    ((code, shown),) = _EXAMPLE.findall(PAGE.read_text("utf-8"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGE), "exec"), {})

    assert printed.getvalue() == shown


def test_every_public_name_is_explained_once() -> None:
    """And none that does not exist."""
    explained = _NAME.findall(PAGE.read_text("utf-8"))

    assert sorted(explained) == sorted(trickle.__all__)
