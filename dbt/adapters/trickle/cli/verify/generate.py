"""A scenario for any query: small random tables, and rounds of inserts, updates and deletes on several at once."""

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
from trickle import Column, InvalidView, referenced
from trickle.sql.parse import parse_select
from trickle.sql.text import to_line
from trickle.types import Array, Map, Struct

QUERY = "stream"
UNUSED = 2


@dataclass(frozen=True)
class Sizes:
    """How much is made: rows of a table at first, and rounds of changes."""

    rows: int = 20
    rounds: int = 5
    seed: int = 1


@dataclass
class _Content:
    """A table as it stands while its history is made up: rows as tuples of SQL values."""

    columns: tuple[Column, ...]
    domains: tuple[tuple[str, ...], ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


def generated(query: Query, resolve: Resolve, sizes: Sizes) -> Scenario:
    """The same seed and query always make the same scenario, whatever else is verified beside it."""
    try:
        alone, tables = standalone(query.sql, resolve)
        return _generated(Query(query.id, alone), tables, sizes)
    except InvalidView:
        # Without tables the ring refuses it, in its own words; the other queries go on.
        return Scenario(query.id, "a query that cannot be read", (), (StreamQuery(QUERY, query.sql),), ())


def _generated(query: Query, tables: Tables, sizes: Sizes) -> Scenario:
    randomness = random.Random(f"{sizes.seed} {query.id}")  # noqa: S311 - test data, not secrets
    names = sorted({name[-1] for name in referenced(query.sql)} & set(tables))
    literals = _literals(query.sql)
    used = _used_columns(query.sql)
    contents = {name: _content(_kept(tables[name], used), literals) for name in names}
    for content in contents.values():
        count = randomness.randint(sizes.rows // 2, sizes.rows)
        content.rows = [_row(randomness, content) for _ in range(count)]
        content.rows += randomness.choices(content.rows, k=2) if content.rows else []
    sources = tuple(SourceTable(name, one.columns, tuple(map(_text, one.rows))) for name, one in contents.items())
    steps = tuple(_round(randomness, contents, number) for number in range(sizes.rounds))
    return Scenario(query.id, "random changes", sources, (StreamQuery(QUERY, query.sql),), steps)


def _used_columns(sql: str) -> Optional[frozenset[str]]:
    """The names a query mentions; None when it reads columns it does not name (SELECT *, NATURAL JOIN)."""
    tree = parse_select(sql)
    stars = [star for star in tree.find_all(exp.Star) if not isinstance(star.parent, exp.AggFunc)]
    if stars or any(join.args.get("method") == "NATURAL" for join in tree.find_all(exp.Join)):
        return None
    return frozenset(one.name.lower() for one in tree.find_all(exp.Identifier))


def _kept(columns: tuple[Column, ...], used: Optional[frozenset[str]]) -> tuple[Column, ...]:
    """The columns the query reads and a few it does not: changes there must change nothing."""
    if used is None:
        return columns
    others = [one.name for one in columns if one.name.lower() not in used][:UNUSED]
    return tuple(one for one in columns if one.name.lower() in used or one.name in others)


def _content(columns: tuple[Column, ...], literals: Mapping[str, tuple[str, ...]]) -> _Content:
    everywhere = literals.get("", ())
    known = [(one, literals.get(one.name.lower(), everywhere)) for one in columns]
    return _Content(columns, tuple(domain(one.type, found) for one, found in known))


def _literals(sql: str) -> dict[str, tuple[str, ...]]:
    """Column → the literals it is compared with; '' → all of the query."""
    found: dict[str, list[str]] = {"": []}
    for literal in parse_select(sql).find_all(exp.Literal):
        text = to_line(literal.parent if isinstance(literal.parent, exp.Neg) else literal)
        found[""].append(text)
        beside = literal.find_ancestor(exp.Predicate)
        for column in beside.find_all(exp.Column) if beside is not None else ():
            found.setdefault(column.name.lower(), []).append(text)
    return {name: tuple(dict.fromkeys(texts)) for name, texts in found.items()}


def _round(randomness: random.Random, contents: dict[str, _Content], number: int) -> Step:
    """Changes on a random part of the tables. Rounds take turns: all kinds, only inserts, one table only."""
    names = list(contents)
    count = 1 if number % 3 == 2 else randomness.randint(1, len(names)) if names else 0
    changes = (_insert,) if number % 3 == 1 else (_insert, _update, _delete, _come_and_go)
    statements: list[str] = []
    for name in randomness.sample(names, count) if names else []:
        for change in randomness.sample(changes, randomness.randint(1, len(changes))):
            statements += change(randomness, name, contents[name])
    return Step(tuple(Change(sql) for sql in statements))


def _insert(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """New rows, one of them often equal to one that is there."""
    rows = [_row(randomness, content) for _ in range(randomness.randint(1, 4))]
    if content.rows and randomness.random() < 0.5:
        rows.append(randomness.choice(content.rows))
    content.rows += rows
    return [_inserted(name, rows)]


def _update(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """Some columns of one row and its equals; now and then to the values they had."""
    if not content.rows:
        return []
    old = randomness.choice(content.rows)
    new = list(old)
    places = randomness.sample(range(len(old)), min(len(old), randomness.randint(1, 6)))
    if randomness.random() > 0.1:
        for place in places:
            new[place] = value(randomness, content.columns[place].type, content.domains[place])
    content.rows = [tuple(new) if row == old else row for row in content.rows]
    assigned = ", ".join(f"{_name(content.columns[place])} = {new[place]}" for place in places)
    return [f"UPDATE {name} SET {assigned} WHERE {_is(content, old)}"]


def _delete(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """One row with its equals; or all rows that share a value; or, rarely, everything."""
    if not content.rows:
        return []
    old = randomness.choice(content.rows)
    draw = randomness.random()
    if draw < 0.07:
        content.rows = []
        return [f"DELETE FROM {name}"]
    if draw < 0.4:
        place = randomness.randrange(len(old))
        if not _nested(content.columns[place]) and "NaN" not in old[place] and "-0.0" not in old[place]:
            content.rows = [row for row in content.rows if row[place] != old[place]]
            return [f"DELETE FROM {name} WHERE {_equals(content.columns[place], old[place])}"]
    content.rows = [row for row in content.rows if row != old]
    return [f"DELETE FROM {name} WHERE {_is(content, old)}"]


def _come_and_go(randomness: random.Random, name: str, content: _Content) -> list[str]:
    """A row that arrives and leaves in one interval, or the other way round: its weights must cancel."""
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
    """A condition that this row and its equals meet and no other, on as few columns as that takes."""
    others = [other for other in content.rows if other != row]
    conditions: list[str] = []
    for place, column in enumerate(content.columns):
        if _nested(column) or (conditions and all(other[place] == row[place] for other in others)):
            continue
        conditions.append(_equals(column, row[place]))
        others = [other for other in others if other[place] == row[place]]
        if not others:
            break
    return " AND ".join(conditions) or "TRUE"


def _equals(column: Column, held: str) -> str:
    return f"{_name(column)} IS NULL" if held == NULL else f"{_name(column)} = CAST({held} AS {column.type.upper()})"


def _name(column: Column) -> str:
    return f"`{column.name}`"


def _nested(column: Column) -> bool:
    return isinstance(column.parsed_type, (Array, Map, Struct))
