"""A random scenario for any query: small tables, and rounds of inserts, updates and deletes on several of them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from sqlglot import exp

from dbt.adapters.trickle.catalog.answers import Resolve
from dbt.adapters.trickle.cli.queries import Query
from dbt.adapters.trickle.cli.schema_file import Tables
from dbt.adapters.trickle.cli.verify.scenario import Change, Scenario, SourceTable, Step, StreamQuery
from dbt.adapters.trickle.cli.verify.standalone import standalone
from dbt.adapters.trickle.cli.verify.values import NULL, domain, value
from trickle import Column, InvalidView
from trickle.lower.sources.pin import referenced
from trickle.sql.parse import parse_select
from trickle.sql.text import to_line
from trickle.types import Array, Map, Struct

QUERY = "stream"
UNUSED = 2


@dataclass(frozen=True)
class Sizes:
    """The size of a scenario: initial rows per table, and rounds of changes."""

    rows: int = 20
    rounds: int = 5
    seed: int = 1


@dataclass
class _Content:
    """The current rows of a table while its changes are generated, as tuples of SQL values."""

    columns: tuple[Column, ...]
    domains: tuple[tuple[str, ...], ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


def generated(query: Query, resolve: Resolve, sizes: Sizes) -> Scenario:
    """The scenario of a query, which depends only on the seed and the query."""
    try:
        sql, tables = standalone(query.sql, resolve)
        return _generated(Query(query.id, sql), tables, sizes)
    except InvalidView:
        # The ring reports the error of the query; the other queries go on.
        return Scenario(query.id, "a query that cannot be read", (), (StreamQuery(QUERY, query.sql),), ())


def _generated(query: Query, tables: Tables, sizes: Sizes) -> Scenario:
    randomness = random.Random(f"{sizes.seed} {query.id}")  # noqa: S311 - test data, not secrets
    names = sorted({name[-1] for name in referenced(query.sql)} & set(tables))
    literals = _literals(query.sql)
    used = _used_columns(query.sql)
    contents = {name: _content(_used_and_some_others(tables[name], used), literals) for name in names}
    for content in contents.values():
        count = randomness.randint(sizes.rows // 2, sizes.rows)
        content.rows = [_row(randomness, content) for _ in range(count)]
        content.rows += randomness.choices(content.rows, k=2) if content.rows else []
    sources = tuple(
        SourceTable(name, content.columns, tuple(map(_text, content.rows))) for name, content in contents.items()
    )
    steps = tuple(_round(randomness, contents, number) for number in range(sizes.rounds))
    return Scenario(query.id, "random changes", sources, (StreamQuery(QUERY, query.sql),), steps)


def _used_columns(sql: str) -> Optional[frozenset[str]]:
    """The names a query mentions; None when it reads columns it does not name (SELECT *, NATURAL JOIN)."""
    tree = parse_select(sql)
    stars = [star for star in tree.find_all(exp.Star) if not isinstance(star.parent, exp.AggFunc)]
    if stars or any(join.args.get("method") == "NATURAL" for join in tree.find_all(exp.Join)):
        return None
    return frozenset(identifier.name.lower() for identifier in tree.find_all(exp.Identifier))


def _used_and_some_others(columns: tuple[Column, ...], used: Optional[frozenset[str]]) -> tuple[Column, ...]:
    """The columns that the query reads and a few others, changes of which must change nothing."""
    if used is None:
        return columns
    others = [column.name for column in columns if column.name.lower() not in used][:UNUSED]
    return tuple(column for column in columns if column.name.lower() in used or column.name in others)


def _content(columns: tuple[Column, ...], literals: Mapping[str, tuple[str, ...]]) -> _Content:
    everywhere = literals.get("", ())
    known = [(column, literals.get(column.name.lower(), everywhere)) for column in columns]
    return _Content(columns, tuple(domain(column.type, values) for column, values in known))


def _literals(sql: str) -> dict[str, tuple[str, ...]]:
    """Column → the literals it is compared with; '' → all literals of the query."""
    literals: dict[str, list[str]] = {"": []}
    for literal in parse_select(sql).find_all(exp.Literal):
        text = to_line(literal.parent if isinstance(literal.parent, exp.Neg) else literal)
        literals[""].append(text)
        predicate = literal.find_ancestor(exp.Predicate)
        for column in predicate.find_all(exp.Column) if predicate is not None else ():
            literals.setdefault(column.name.lower(), []).append(text)
    return {name: tuple(dict.fromkeys(texts)) for name, texts in literals.items()}


def _round(randomness: random.Random, contents: dict[str, _Content], number: int) -> Step:
    """Changes of some random tables. Rounds alternate: all kinds of changes, only inserts, only one table."""
    names = list(contents)
    count = 1 if number % 3 == 2 else randomness.randint(1, len(names)) if names else 0
    changes = (_insert,) if number % 3 == 1 else (_insert, _update, _delete, _come_and_go)
    statements: list[str] = []
    for name in randomness.sample(names, count) if names else []:
        for change in randomness.sample(changes, randomness.randint(1, len(changes))):
            statements += change(randomness, name, contents[name])
    return Step(tuple(Change(sql) for sql in statements))


def _insert(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """New rows, often with a duplicate of an existing row."""
    rows = [_row(randomness, content) for _ in range(randomness.randint(1, 4))]
    if content.rows and randomness.random() < 0.5:
        rows.append(randomness.choice(content.rows))
    content.rows += rows
    return [_inserted(name, rows)]


def _update(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """An update of some columns of a row and its duplicates; sometimes to the values they have."""
    if not content.rows:
        return []
    old = randomness.choice(content.rows)
    new = list(old)
    indexes = randomness.sample(range(len(old)), min(len(old), randomness.randint(1, 6)))
    if randomness.random() > 0.1:
        for index in indexes:
            new[index] = value(randomness, content.columns[index].type, content.domains[index])
    content.rows = [tuple(new) if row == old else row for row in content.rows]
    assigned = ", ".join(f"{_name(content.columns[index])} = {new[index]}" for index in indexes)
    return [f"UPDATE {name} SET {assigned} WHERE {_is(content, old)}"]


def _delete(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """A delete of a row with its duplicates, of all rows that share a value, or, rarely, of all rows."""
    if not content.rows:
        return []
    old = randomness.choice(content.rows)
    draw = randomness.random()
    if draw < 0.07:
        content.rows = []
        return [f"DELETE FROM {name}"]
    if draw < 0.4:
        index = randomness.randrange(len(old))
        if not _nested(content.columns[index]) and "NaN" not in old[index] and "-0.0" not in old[index]:
            content.rows = [row for row in content.rows if row[index] != old[index]]
            return [f"DELETE FROM {name} WHERE {_equals(content.columns[index], old[index])}"]
    content.rows = [row for row in content.rows if row != old]
    return [f"DELETE FROM {name} WHERE {_is(content, old)}"]


def _come_and_go(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """A row inserted and deleted in one interval, or the other way round: its weights must cancel."""
    if content.rows and randomness.random() < 0.5:
        old = randomness.choice(content.rows)
        copies = [row for row in content.rows if row == old]
        return [f"DELETE FROM {name} WHERE {_is(content, old)}", _inserted(name, copies)]
    new = _row(randomness, content)
    content.rows = [row for row in content.rows if row != new]
    return [_inserted(name, [new]), f"DELETE FROM {name} WHERE {_is(content, new)}"]


def _row(randomness: random.Random, content: _Content) -> tuple[str, ...]:
    pairs = zip(content.columns, content.domains)
    return tuple(value(randomness, column.type, values) for column, values in pairs)


def _inserted(name: str, rows: list[tuple[str, ...]]) -> str:
    return f"INSERT INTO {name} VALUES {', '.join(map(_text, rows))}"


def _text(row: tuple[str, ...]) -> str:
    return f"({', '.join(row)})"


def _is(content: _Content, row: tuple[str, ...]) -> str:
    """A condition that only this row and its duplicates meet, on as few columns as possible."""
    others = [other for other in content.rows if other != row]
    conditions: list[str] = []
    for index, column in enumerate(content.columns):
        if _nested(column) or (conditions and all(other[index] == row[index] for other in others)):
            continue
        conditions.append(_equals(column, row[index]))
        others = [other for other in others if other[index] == row[index]]
        if not others:
            break
    return " AND ".join(conditions) or "TRUE"


def _equals(column: Column, value_sql: str) -> str:
    return (
        f"{_name(column)} IS NULL"
        if value_sql == NULL
        else f"{_name(column)} = CAST({value_sql} AS {column.type.upper()})"
    )


def _name(column: Column) -> str:
    return f"`{column.name}`"


def _nested(column: Column) -> bool:
    return isinstance(column.parsed_type, (Array, Map, Struct))
