"""Models of a dbt project as queries: dbt compiles them; columns of sources come from Delta logs, or from Spark."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Optional

from dbt.adapters.exceptions.connection import FailedToConnectError
from dbt.cli.main import dbtRunner

from dbt.adapters.trickle.catalog.answers import Resolve
from dbt.adapters.trickle.catalog.cached_catalog import CachedCatalog
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.cli.profile import credentials_of, sentence_of
from dbt.adapters.trickle.cli.queries import Query
from dbt.adapters.trickle.cli.refusal import Refusal, at
from dbt.adapters.trickle.ports import Row
from dbt.adapters.trickle.project import ProjectError
from dbt.adapters.trickle.project.errors import nearest
from dbt.adapters.trickle.project.load import project_root
from dbt.adapters.trickle.warehouses.embedded import spark as embedded
from dbt.adapters.trickle.warehouses.embedded.catalog_cache import CATALOG
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import table_path
from trickle import Name, Relation, View

Node = Mapping[str, Any]
Nodes = Mapping[str, Node]

COMPILE = (
    *("--quiet", "--log-level", "none", "compile", "--no-populate-cache"),
    # An incremental model is compiled without its incremental filter, which a stream table does not need.
    "--full-refresh",
    # Tests may query the warehouse while they compile, and are not needed.
    *("--exclude", "resource_type:test", "resource_type:unit_test"),
)


@contextmanager
def compiled_models(
    names: Sequence[str], project: Optional[Path], profiles: Optional[Path], target: Optional[str]
) -> Generator[tuple[list[Query], Resolve], None, None]:
    """The models' queries, and a resolver of the names they read. Spark starts only if one of the two needs it."""
    try:
        root = project_root(project, os.environ)
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong
    credentials = credentials_of(root, profiles, target)
    session = EmbeddedSession(credentials, lambda sentence: None)
    opened_before = embedded.is_open()

    def ask(sql: str) -> Sequence[Row]:
        return session.rows(sql)

    described = CachedCatalog(lambda schema, table: table_path(credentials, schema, table), ask, CATALOG)
    catalog = SourceCatalog(described, credentials.schema)
    try:
        nodes = _compiled(names, root, profiles, target)
        queries = [Query(name, str(_model(name, nodes)["compiled_code"])) for name in names]
        yield queries, _resolver(nodes, catalog.resolve)
    except FailedToConnectError as failure:
        raise Refusal(sentence_of(failure)) from failure
    finally:
        if not opened_before:
            embedded.close()


def _compiled(names: Sequence[str], root: Path, profiles: Optional[Path], target: Optional[str]) -> Nodes:
    """The project's nodes, with these models and their ancestors compiled; no model is run."""
    given = {"--project-dir": root, "--profiles-dir": profiles, "--target": target}
    options = [word for option, value in given.items() if value is not None for word in (option, str(value))]
    ran = dbtRunner().invoke([*COMPILE, "--select", *(f"+{name}" for name in names), *options])
    if ran.exception is not None:
        raise Refusal(f"dbt cannot compile the project: {sentence_of(ran.exception)}")
    nodes = _nodes(root)
    for name in names:
        _model(name, nodes, compiled=False)
    failed = [result for result in getattr(ran.result, "results", ()) if str(result.status) == "error"]
    if failed or not ran.success:
        detail = f" {failed[0].node.name}: {' '.join(str(failed[0].message).split())}" if failed else ""
        raise Refusal(f"dbt cannot compile{detail or ' ' + ', '.join(names)}")
    return nodes


def _model(name: str, nodes: Nodes, compiled: bool = True) -> Node:
    """The model of this name; a node without a SELECT is refused."""
    of_name = [node for node in nodes.values() if node["name"] == name]
    models = [node for node in of_name if node["resource_type"] == "model"]
    if not models and of_name:
        raise Refusal(f"{name} is a {of_name[0]['resource_type']}, not a model: it has no SELECT of its own")
    if not models:
        known = [node["name"] for node in nodes.values() if node["resource_type"] == "model"]
        raise Refusal(f"there is no model {name}{nearest(name, known)}")
    if models[0].get("language") != "sql":
        raise Refusal(f"{name} is a model in {models[0].get('language')}: it has no SELECT")
    if compiled and not models[0].get("compiled_code"):
        raise Refusal(f"dbt has not compiled {name}: is it disabled, or excluded?")
    return models[0]


def _nodes(root: Path) -> Nodes:
    """The nodes of the manifest dbt has just written."""
    file = root / os.environ.get("DBT_TARGET_PATH", "target") / "manifest.json"
    try:
        nodes: Nodes = json.loads(file.read_text("utf-8"))["nodes"]
    except (OSError, ValueError, KeyError) as error:
        raise at(file, "the manifest cannot be read; run dbt compile in the project") from error
    return nodes


def _resolver(nodes: Nodes, resolve: Resolve) -> Callable[[Name], Optional[Relation]]:
    """A resolver that reads views of the project as compiled, and all other relations from the warehouse."""
    by_name: dict[Name, Node] = {
        (str(node["schema"]).lower(), str(node.get("alias") or node["name"]).lower()): node
        for node in nodes.values()
        if node["resource_type"] in ("model", "seed", "snapshot")
    }

    def answer(name: Name) -> Optional[Relation]:
        key = tuple(part.lower() for part in name[-2:])
        node = by_name.get(key)
        if node is not None and node["config"]["materialized"] == "view" and node.get("compiled_code"):
            return View(key, (), str(node["compiled_code"]))
        relation = resolve(name)
        if relation is None and node is not None:
            raise Refusal(f"the source {node['name']} is not built yet: run `dbt build -s {node['name']}` first")
        return relation

    return answer
