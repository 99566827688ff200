"""A model of a dbt project as a query: dbt compiles it, Delta logs tell its sources' columns, Spark the rest."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional

from dbt.cli.main import dbtRunner
from dbt.config.runtime import load_profile

from dbt.adapters.trickle.embedded import warehouse as embedded
from dbt.adapters.trickle.embedded.layout import table_path
from dbt.adapters.trickle.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouse import Warehouse
from trickle import Explanation, Name, Relation, Resolve, View, explain
from trickle.cli.queries import Query
from trickle.cli.refusal import Refusal, at

Nodes = Mapping[str, Mapping[str, Any]]


def explained_model(name: str, project: Path, profiles: Optional[Path]) -> tuple[Query, Explanation]:
    """Compile the project (no query is run for it) and explain one of its models against the warehouse as it is."""
    folders = ["--project-dir", str(project), *(["--profiles-dir", str(profiles)] if profiles else [])]
    options = [
        "--quiet",
        "--log-level",
        "none",
        "compile",
        "--no-introspect",
        "--no-populate-cache",
        # Tests may ask the warehouse while they compile, and are not asked about.
        "--exclude",
        "resource_type:test",
        "resource_type:unit_test",
        "--select",
        f"+{name}",
    ]
    compiled = dbtRunner().invoke([*options, *folders])
    if compiled.exception is not None:
        raise Refusal(f"dbt cannot compile {name}: {compiled.exception}")
    nodes = _models(project)
    node = next((one for one in nodes.values() if one["name"] == name), None)
    if node is None or not compiled.success:
        raise Refusal(
            f"dbt cannot compile {name}; known models: {', '.join(sorted(one['name'] for one in nodes.values()))}"
        )
    query = Query(name, str(node["compiled_code"]))
    credentials: Any = load_profile(str(project), {}).credentials
    if credentials.type != "trickle":
        raise Refusal(f"the profile is of type {credentials.type}, not trickle")
    credentials.anchor(project.resolve())
    session = EmbeddedSession(credentials, lambda sentence: None)
    known = Warehouse(lambda schema, table: table_path(credentials, schema, table), session.rows, credentials.schema)
    try:
        return query, explain(query.sql, _resolver(nodes, known.resolve))
    finally:
        embedded.close()


def _models(project: Path) -> Nodes:
    """The models of the manifest dbt has just written."""
    file = Path(os.environ.get("DBT_TARGET_PATH", project / "target")) / "manifest.json"
    try:
        manifest = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise at(file, f"the manifest cannot be read ({error}); run dbt compile in the project") from error
    return {key: node for key, node in manifest["nodes"].items() if node["resource_type"] == "model"}


def _resolver(nodes: Nodes, resolve: Resolve) -> Resolve:
    """Views of the project are read as it says now, built or not; all else as it is in the warehouse."""
    views = {
        (str(node["schema"]).lower(), str(node["alias"]).lower()): str(node["compiled_code"])
        for node in nodes.values()
        if node["config"]["materialized"] == "view" and node.get("compiled_code")
    }

    def answer(name: Name) -> Optional[Relation]:
        key = tuple(part.lower() for part in name[-2:])
        return View(key, (), views[key]) if key in views else resolve(name)  # type: ignore[index]

    return answer
