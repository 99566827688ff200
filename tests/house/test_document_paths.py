"""Documents name files that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(folder.name for folder in ROOT.iterdir() if folder.is_dir() and not folder.name.startswith("."))
SHORT = (ROOT / "engine" / "trickle", ROOT / "dbt" / "adapters" / "trickle", ROOT / "dbt" / "include" / "trickle", ROOT)
"""Where a path that begins with none of our folders may begin: ARCHITECTURE.md calls files of the engine so."""
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("integration_tests/*.md")])
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)+/?")
MADE_BY_RUNS = frozenset("target logs warehouse data metastore scratch checks rulings models".split())
"""Folders of a user's project and warehouse."""
COMMAND = re.compile(r"(?:python|sh|pytest) ((?:\w+/)+\w+\.\w+)")
MODULE = re.compile(r"python -m ([\w.]+)")
TOOLS = {"pytest", "venv", "pip"}
SOURCES = {file.name for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    """A path in backticks that begins with a folder of ours, or ends like a source file, leads somewhere."""
    named = set(_paths(document.read_text("utf-8")))

    assert not sorted(path for path in named if not any((base / path).exists() for base in (*SHORT, document.parent)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_python_file_that_a_document_names_exists(document: Path) -> None:
    """A bare file name in backticks is the name of a file somewhere in the project."""
    named = {quoted for quoted in QUOTED.findall(document.read_text("utf-8")) if re.fullmatch(r"\w+\.py", quoted)}

    assert not sorted(named - SOURCES)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_module_that_a_document_runs_exists(document: Path) -> None:
    """`python -m` names a module of ours, or a tool's."""
    modules = set(MODULE.findall(document.read_text("utf-8"))) - TOOLS
    files = {module: ROOT / module.replace(".", "/") for module in modules}

    assert not sorted(
        name for name, file in files.items() if not file.with_suffix(".py").is_file() and not file.is_dir()
    )


def test_paths_are_told_from_other_words() -> None:
    """What is no path, or is made by a run of dbt, is not looked for."""
    text = "`engine/trickle/a.py:12` `a/b.py::test_c` `status/history` `target/run/x.sql` `x.sql` `docs/<op>.md`"

    assert list(_paths(text)) == ["engine/trickle/a.py", "a/b.py"]
    assert list(_paths(".venv/bin/python benchmarks/gone.py --rounds 3")) == ["benchmarks/gone.py"]


def _paths(text: str) -> Iterator[str]:
    yield from COMMAND.findall(text)
    for quoted in QUOTED.findall(text):
        path = quoted.partition("::")[0].partition(":")[0]
        if PATH.fullmatch(path) and not MADE_BY_RUNS & set(path.split("/")) and _is_ours(path):
            yield path


def _is_ours(path: str) -> bool:
    return path.partition("/")[0] in FOLDERS or path.endswith((".py", ".case", ".sql", ".txt", ".toml"))
