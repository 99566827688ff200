"""Steps as Spark SQL: the text that is run, written to target/run and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp
from typing_extensions import assert_never

from trickle.apply.definitions import ViewColumn
from trickle.apply.steps import (
    Cluster,
    Constrain,
    Create,
    Drop,
    NameFiles,
    PinView,
    PutView,
    SetProperties,
    Stage,
    Step,
    Write,
)
from trickle.catalog.source_files import DataFiles, FileRows
from trickle.catalog.tables import Name
from trickle.sql.build import identifier, string, table, verbatim
from trickle.sql.text import to_text


def step_sql(step: Step) -> str:
    """A step as one statement. Of a Stage and of named files, the view they are while the plan runs."""
    match step:
        case Write():
            return step.sql
        case Stage():
            view = exp.Create(this=table((step.name,)), kind="VIEW", expression=_body(step.query))
            view.set("properties", exp.Properties(expressions=[exp.TemporaryProperty()]))
            return _line(view)
        case NameFiles():
            return _line(_named_files(step))
        case Create():
            return _line(_created(step))
        case PinView():
            return _line(_view(step.view, step.query, (), "", step.properties))
        case PutView():
            return _line(_view(step.view, step.query, step.columns, step.comment, step.properties))
        case Drop():
            return _line(exp.Drop(tables=[table(step.relation)], kind="TABLE", exists=True))
        case SetProperties():
            properties = exp.Properties(expressions=list(_properties(step.properties)))
            return _line(_altered(step.table, exp.AlterSet(expressions=[properties])))
        case Cluster():
            columns = [identifier(name) for name in step.columns]
            # sqlglot prints NONE for Databricks only.
            by = exp.ClusterProperty(expressions=columns) if columns else verbatim("CLUSTER BY NONE")
            return _line(_altered(step.table, by))
        case Constrain():
            check = exp.CheckColumnConstraint(this=verbatim(step.condition))
            constraint = exp.Constraint(this=identifier(step.name), expressions=[check])
            return _line(_altered(step.table, exp.AddConstraint(expressions=[constraint])))
        case _:
            assert_never(step)


def _named_files(step: NameFiles) -> exp.Create:
    """Spark's SQL reads one path only; the session is given all of them."""
    columns = [
        exp.ColumnDef(this=identifier(own.name), kind=exp.DataType.build(own.type, dialect="spark"))
        for own in step.files.columns
    ]
    options = exp.Property(this=string("paths"), value=_literal(", ".join(_paths(step.files))))
    source = exp.FileFormatProperty(this=exp.Var(this="PARQUET"))
    view = exp.Create(this=exp.Schema(this=table((step.name,)), expressions=columns), kind="VIEW")
    view.set("properties", exp.Properties(expressions=[exp.TemporaryProperty(), source, options]))
    return view


def _paths(files: DataFiles) -> list[str]:
    """All files that are read, and of how many rows of one that is not read whole."""
    parts = [f"{part.path} ({_meant(part)})" for part in files.parts]
    return [*files.paths, *parts, *(f"{path} (change feed)" for path in files.feed)]


def _meant(part: FileRows) -> str:
    if part.only is None:
        return f"but for {part.without.rows} rows" if part.without is not None else "all rows"
    return f"{part.only.rows} rows" if part.without is None else f"{part.only.rows} rows, but for {part.without.rows}"


def _created(step: Create) -> exp.Create:
    properties: list[exp.Expr] = [exp.FileFormatProperty(this=exp.Var(this="DELTA")), *_properties(step.properties)]
    if step.partition_by:
        columns = exp.Schema(expressions=[identifier(name) for name in step.partition_by])
        properties.append(exp.PartitionedByProperty(this=columns))
    if step.cluster_by:
        properties.append(exp.ClusterProperty(expressions=[identifier(name) for name in step.cluster_by]))
    if step.location:
        properties.append(exp.LocationProperty(this=_literal(step.location)))
    return exp.Create(
        this=table(step.table),
        kind="TABLE",
        replace=True,
        properties=exp.Properties(expressions=properties),
        expression=_body(step.query),
    )


def _view(
    name: Name, query: str, columns: tuple[ViewColumn, ...], comment: str, properties: Mapping[str, str]
) -> exp.Create:
    clauses: list[exp.Expr] = [exp.SchemaCommentProperty(this=_literal(comment))] if comment else []
    clauses += _properties(properties)
    commented = any(column.comment for column in columns)
    return exp.Create(
        this=exp.Schema(this=table(name), expressions=list(_commented(columns))) if commented else table(name),
        kind="VIEW",
        replace=True,
        properties=exp.Properties(expressions=clauses) if clauses else None,
        expression=_body(query),
    )


def _commented(columns: Iterable[ViewColumn]) -> Iterable[exp.Expr]:
    for column in columns:
        comment = exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=_literal(column.comment)))
        yield exp.ColumnDef(this=identifier(column.name), constraints=[comment] if column.comment else [])


def _properties(properties: Mapping[str, str]) -> Iterable[exp.Expr]:
    for name, value in properties.items():
        yield exp.Property(this=string(name), value=_literal(value))


def _line(tree: exp.Expr) -> str:
    """Not indented, which would change texts of several lines."""
    return to_text(tree, pretty=False)


def _body(query: str) -> exp.Expr:
    """A query of ours, or the user's own, on lines of its own."""
    return verbatim("".join(["\n", query]))


def _literal(text: str) -> exp.Expr:
    """A text with its line ends as they are: the model's SELECT is among the properties, and is compared later."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return verbatim("".join(["'", escaped, "'"]))


def _altered(name: Name, action: exp.Expr) -> exp.Alter:
    return exp.Alter(this=table(name), kind="TABLE", actions=[action])
