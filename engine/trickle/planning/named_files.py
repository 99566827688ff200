"""named_files: the files that the statements of a plan read by their paths, each set under a name of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Optional

from sqlglot import exp

from trickle.apply.steps import DataStep, NameFiles, Stage, Write
from trickle.apply.target import STORED_FILES, Target
from trickle.catalog.probe import Probe
from trickle.catalog.reads import at_version
from trickle.catalog.source_files import NAME, DataFiles, rows_in
from trickle.catalog.tables import StreamTable, Table
from trickle.planning.compile import CompiledView


def name_of_files(source: int, moment: str) -> str:
    """The name of some files of a source, by the source's number in the view."""
    return f"{NAME}{source}_{moment}"


def by_files_or_version(
    relation: Table | StreamTable, files: Optional[DataFiles], name: str, version: Optional[int]
) -> exp.Expr:
    """A source's rows, read from the files of this name where there are such, else at a version; None: as it is now."""
    return at_version(relation, version) if files is None else rows_in(relation, name)


def with_named_files(
    view: CompiledView, target: Target, probes: Mapping[str, Probe], data: Sequence[Stage | Write]
) -> tuple[DataStep, ...]:
    """The steps after those that name the files they read."""
    texts = [step.query if isinstance(step, Stage) else step.sql for step in data]
    return (*named_files(view, target, probes, texts), *data)


def named_files(
    view: CompiledView, target: Target, probes: Mapping[str, Probe], texts: Sequence[str]
) -> tuple[NameFiles, ...]:
    """The files that these texts read, with their names."""
    known = {STORED_FILES: DataFiles(target.paths, target.columns)} if target.paths else {}
    for number, source in enumerate(view.sources, 1):
        files = probes[source.name].files
        for moment, read in (("now", files.now), ("before", files.before), ("change", files.change)):
            if read is not None:
                known[name_of_files(number, moment)] = read
    return tuple(NameFiles(name, read) for name, read in known.items() if any(f"`{name}`" in text for text in texts))
