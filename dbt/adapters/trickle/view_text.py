"""View definitions made readable outside the schema they were written in."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp, parse_one
from sqlglot.optimizer.scope import traverse_scope

DIALECT = "spark"


def qualified(definition: str, schema: str) -> str:
    """`SELECT … FROM t` → `SELECT … FROM schema.t` for every table named without one; other text is returned as it is."""
    tree = parse_one(definition, dialect=DIALECT)
    bare = [table for table in _tables(tree) if not table.db]
    if not bare:
        return definition
    for table in bare:
        table.set("db", exp.to_identifier(schema, quoted=True))
    return tree.sql(dialect=DIALECT)


def renamed(definition: str, outputs: Sequence[str], columns: Sequence[str]) -> str:
    """`CREATE VIEW v (a, b) AS …` names its columns itself: read through a SELECT that does the same."""
    if tuple(outputs) == tuple(columns):
        return definition
    inner = parse_one(definition, dialect=DIALECT)
    if not isinstance(inner, exp.Query):
        return definition
    items = [
        exp.alias_(exp.column(output, quoted=True), column, quoted=True)
        for output, column in zip(outputs, columns, strict=True)
    ]
    return exp.select(*items).from_(inner.subquery("definition")).sql(dialect=DIALECT)


def pinned(definition: str, storage: tuple[str, str], version: int) -> str:
    """`SELECT … FROM storage` → `SELECT … FROM storage VERSION AS OF version`, wherever the storage is read."""
    tree = parse_one(definition, dialect=DIALECT)
    for table in tree.find_all(exp.Table):
        if (table.db.lower(), table.name.lower()) == storage:
            table.set(
                "version", exp.Version(this="VERSION", kind="AS OF", expression=exp.Literal.number(version))
            )
    return tree.sql(dialect=DIALECT)


def _tables(tree: exp.Expression) -> list[exp.Table]:
    """Physical tables only: a CTE hides a table of its name inside its scope."""
    return [
        source
        for scope in traverse_scope(tree)
        for source in scope.sources.values()
        if isinstance(source, exp.Table)
    ]
