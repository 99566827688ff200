"""TPC-H as a dbt project: each query once a variant, over sources. Only names of tables in the texts are replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.project import write_project
from benchmarks.tpch_tables import SCHEMA as SOURCES
from benchmarks.tpch_tables import TABLES
from benchmarks.workspace import SCHEMA
from trickle.sql.parse import parse_select
from trickle.sql.references import references

VARIANTS = ("auto", "incremental", "full", "table")
"""Stream tables in their three modes, and dbt's plain `table`."""

PLAIN = "table"

_UNNAMED_SUM = re.compile(r"(o_totalprice,\s+sum\(l_quantity\))(\s+from\b)", re.IGNORECASE)
"""The last column of Q18 has no name, and Delta takes no column that is called `sum(l_quantity)`."""


def read_queries(folder: Path, names: Sequence[str] = ()) -> dict[str, str]:
    """Name → text of the queries in a folder, one per file, `q01.sql` and so on."""
    texts = {file.stem: file.read_text("utf-8") for file in sorted(folder.glob("q*.sql"))}
    unknown = [name for name in names if name not in texts]
    if unknown or not texts:
        missing = ", ".join(unknown) or "q*.sql"
        raise SystemExit(f"{folder} has no {missing}: name a folder with one query per file, q01.sql to q22.sql.")
    return {name: _named(text) for name, text in texts.items() if not names or name in names}


def with_tables(text: str, write: Callable[[str], str]) -> str:
    """The text with the name of each of TPC-H's tables replaced, found by the parser: `nation` is also a column."""
    parts, end = [], 0
    for reference in references(parse_select(text), text):
        if reference.position is not None and reference.name[-1] in TABLES:
            parts += [text[end : reference.position.start], write(reference.name[-1])]
            end = reference.position.end + 1
    return "".join([*parts, text[end:]])


def query_of(text: str) -> str:
    """The query as Spark runs it outside of dbt."""
    return with_tables(text, lambda table: f"{SOURCES}.{table}")


def model(query: str, variant: str) -> str:
    return f"{query}_{variant}"


def query_and_variant(name: str) -> tuple[str, str]:
    query, _, variant = name.rpartition("_")
    return query, variant


def write_tpch(
    folder: Path, warehouse: Path, memory: str, cores: int | None, queries: Mapping[str, str], variants: Sequence[str]
) -> Path:
    """Write the project: a folder of models per variant, and the tables as dbt's sources."""
    models = {
        f"{variant}/{model(name, variant)}": with_tables(
            text, lambda table: f"{{{{ source('{SOURCES}', '{table}') }}}}"
        )
        for variant in variants
        for name, text in queries.items()
    }
    configs = {variant: _config(variant) for variant in variants}
    project = write_project(folder, SCHEMA, warehouse, memory, models, configs, cores)
    (folder / "models" / "sources.yml").write_text(json.dumps(_sources(TABLES)), "utf-8")
    return project


def _config(variant: str) -> dict[str, str]:
    """Of a folder of models. They are selected by their tag."""
    if variant == PLAIN:
        return {"+tags": variant, "+materialized": "table"}
    return {"+tags": variant, "+materialized": "stream_table", "+refresh_mode": variant}


def _sources(tables: Iterable[str]) -> dict[str, Any]:
    return {"sources": [{"name": SOURCES, "schema": SOURCES, "tables": [{"name": table} for table in tables]}]}


def _named(text: str) -> str:
    return _UNNAMED_SUM.sub(r"\1 as sum_quantity\2", text.strip().removesuffix(";"))
