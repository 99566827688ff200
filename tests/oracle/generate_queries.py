"""Random SELECTs as a user writes them.

Aliases, CTEs, derived tables, stars, joins of every spelling, GROUP BY by name, ordinal or alias, HAVING, UNION.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hypothesis import strategies as st
from sqlglot import exp

from tests.oracle import generate_scalars as scalars
from tests.oracle import generate_subqueries as subqueries
from tests.oracle.choose import choose, number, once_in
from tests.oracle.generate_data import Table, World, later_worlds, worlds
from trickle.plan.expression_types import type_of

Columns = dict[str, str]
"""Column name → type, in order."""


@dataclass(frozen=True)
class Model:
    """A SELECT and the world it reads."""

    world: World
    text: str


@st.composite
def models(draw: st.DrawFn) -> Model:
    """One model over one to three sources."""
    world = draw(worlds())
    writer = Writer(draw, world)
    text, columns = writer.query(2)
    if once_in(draw, 6):
        text = f"{text} {writer.first(columns)}"
    ctes = ", ".join(f"{name} AS ({body})" for name, body, _ in writer.ctes)
    return Model(world, f"WITH {ctes} {text}" if ctes else text)


@st.composite
def asking_models(draw: st.DrawFn) -> Model:
    """One table that asks another: in WHERE, in the SELECT list, beside FROM or in ON."""
    world = draw(worlds())
    writer = Writer(draw, world)
    source, where = writer.relation(0), ""
    match choose(draw, ("where", "where", "value", "beside", "on")):
        case "where":
            where = f" WHERE {subqueries.predicate(draw, source.columns, *writer.another())}"
        case "beside":
            source = writer.lateral(source)
        case "on":
            other = writer.relation(0)
            asking = choose(draw, (source.columns, other.columns))
            text = subqueries.in_on(draw, asking, *writer.another())
            word = choose(draw, ("JOIN", "LEFT JOIN", "RIGHT JOIN"))
            source = From(f"{source.text} {word} {other.text} ON {text}", {**source.columns, **other.columns}, False)
        case _:
            value = subqueries.value(draw, source.columns, *writer.another())
            return Model(world, f"SELECT {', '.join(source.columns)}, {value} AS v FROM {source.text}")
    shown = ", ".join(f"{name} AS c{place}" for place, name in enumerate(source.columns))
    return Model(world, f"SELECT {shown} FROM {source.text}{where}")


@st.composite
def model_stories(draw: st.DrawFn) -> tuple[Model, World]:
    """A model, and what happens to its sources after its first refresh."""
    model = draw(models())
    return model, draw(later_worlds(model.world))


@dataclass(frozen=True)
class From:
    """A FROM clause and what it shows: how each column may be written → its type."""

    text: str
    columns: Columns
    star: bool
    """Whether `*` would give every column a name of its own."""


@dataclass
class Writer:
    """Writes one model."""

    draw: st.DrawFn
    world: World
    ctes: list[tuple[str, str, Columns]] = field(default_factory=list)
    aliases: int = 0
    names: int = 0

    def query(self, depth: int) -> tuple[str, Columns]:
        """A SELECT, or two of them under UNION."""
        text, columns = self.select(depth)
        if depth and once_in(self.draw, 4):
            return self.union(text, columns, depth)
        return text, columns

    def union(self, text: str, columns: Columns, depth: int) -> tuple[str, Columns]:
        """The same columns from another SELECT, as far as it has columns of these types."""
        other, others = self.select(depth - 1)
        partners = [[name for name in others if others[name] == kind] for kind in columns.values()]
        if not all(partners):
            return text, columns
        items = ", ".join(f"u.{choose(self.draw, names)}" for names in partners)
        word = choose(self.draw, ("UNION ALL", "UNION", "UNION ALL"))
        return f"{text} {word} SELECT {items} FROM ({other}) AS u", columns

    def select(self, depth: int) -> tuple[str, Columns]:
        source = self.source(depth)
        where = f" WHERE {self.condition(source)}" if once_in(self.draw, 2) else ""
        match choose(self.draw, ("group", "plain", "plain", "star", "total", "group")):
            case "group":
                return self.grouped(source, where)
            case "total":
                items, columns = self.items(source, scalars.measure)
                return f"SELECT {items} FROM {source.text}{where}", columns
            case "star" if source.star:
                columns = {name.rpartition(".")[2].lower(): kind for name, kind in source.columns.items()}
                return f"SELECT {self.distinct()}* FROM {source.text}{where}", columns
            case _:
                items, columns = self.items(source, scalars.value)
                items, columns = self.more_items(source, items, columns)
                return f"SELECT {self.distinct()}{items} FROM {source.text}{where}", columns

    def condition(self, source: From) -> str:
        """A plain condition, one that asks another table, or both."""
        plain = scalars.condition(self.draw, source.columns)
        if not once_in(self.draw, 3):
            return plain
        asked = subqueries.predicate(self.draw, source.columns, *self.another())
        return asked if once_in(self.draw, 2) else f"({plain}) AND {asked}"

    def another(self) -> tuple[Table, str]:
        """A table for a subquery, under an alias of its own."""
        self.aliases += 1
        return choose(self.draw, self.world.tables), f"t{self.aliases}"

    def more_items(self, source: From, items: str, columns: Columns) -> tuple[str, Columns]:
        """Now and then a window or a subquery in the SELECT list."""
        match choose(self.draw, ("none", "none", "none", "window", "subquery", "found")):
            case "window":
                text, kind = self.window(source), "bigint"
            case "subquery":
                text, kind = f"COALESCE({subqueries.value(self.draw, source.columns, *self.another())}, 0)", "bigint"
            case "found":
                table, alias = self.another()
                inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
                where = subqueries.correlated(self.draw, source.columns, inner)
                text, kind = f"EXISTS (SELECT 1 FROM {table.name} AS {alias}{where})", "boolean"
            case _:
                return items, columns
        name = self.name()
        return f"{items}, {text} AS {name}", {**columns, name: kind}

    def window(self, source: From) -> str:
        """Counted in an order that leaves no ties but between equal rows, so that every engine answers the same."""
        by = f"PARTITION BY {choose(self.draw, list(source.columns))}"
        every = ", ".join(source.columns)
        some = choose(self.draw, list(source.columns))
        calls = (
            f"COUNT(*) OVER ({by})",
            f"COUNT({some}) OVER ({by} ORDER BY {choose(self.draw, list(source.columns))})",
            f"CAST(RANK() OVER ({by} ORDER BY {some} DESC) AS BIGINT)",
            f"CAST(ROW_NUMBER() OVER ({by} ORDER BY {every}) AS BIGINT)",
        )
        return choose(self.draw, calls)

    def first(self, columns: Columns) -> str:
        """The first rows in an order that leaves no ties but between equal rows."""
        names = list(columns)
        some = choose(self.draw, names)
        others = [name for name in names if name != some]
        order = ", ".join([f"{some}{choose(self.draw, ('', ' DESC'))}", *others])
        return f"ORDER BY {order} LIMIT {number(self.draw, 1, 3)}{choose(self.draw, ('', ' OFFSET 1'))}"

    def distinct(self) -> str:
        return "DISTINCT " if once_in(self.draw, 4) else ""

    def items(self, source: From, make: scalars.Make, most: int = 3) -> tuple[str, Columns]:
        texts, columns = [], {}
        for _ in range(number(self.draw, 1, most)):
            text, kind = self.typed(source.columns, make)
            name = self.name()
            texts.append(f"{text} AS {name}")
            columns[name] = kind
        return ", ".join(texts), columns

    def typed(self, columns: Columns, make: scalars.Make) -> tuple[str, str]:
        """An expression whose type is known."""
        text = make(self.draw, columns)
        return text, kind_of(text, columns)

    def grouped(self, source: From, where: str) -> tuple[str, Columns]:
        """Keys by expression, by ordinal or by alias; with HAVING now and then."""
        keys = [self.typed(source.columns, scalars.value) for _ in range(number(self.draw, 1, 2))]
        names = [self.name() for _ in keys]
        measures, columns = self.items(source, scalars.measure, 2)
        shown = ", ".join(f"{text} AS {name}" for (text, _), name in zip(keys, names))
        columns = {**{name: kind for (_, kind), name in zip(keys, names)}, **columns}
        match choose(self.draw, ("expression", "ordinal", "alias", "all")):
            case "ordinal":
                by = ", ".join(str(place + 1) for place in range(len(keys)))
            case "alias":
                by = ", ".join(names)
            case "all":
                # To Spark a constant is a key of GROUP BY ALL, to DuckDB it is not: an empty input tells them apart.
                constant = any(re.search(r"[a-z]\w*\.", text) is None for text, _ in keys)
                by = ", ".join(str(place + 1) for place in range(len(keys))) if constant else "ALL"
            case _:
                by = ", ".join(
                    text if not text[0].isdigit() and text[0] not in "'-" else names[place]
                    for place, (text, _) in enumerate(keys)
                )
        having = ""
        if once_in(self.draw, 3):
            having = f" HAVING {scalars.measure(self.draw, source.columns)} IS NOT NULL"
            having = choose(self.draw, (" HAVING COUNT(*) > 1", having))
        distinct = "DISTINCT " if once_in(self.draw, 6) else ""
        return (
            f"SELECT {distinct}{shown}, {measures} FROM {source.text}{where} GROUP BY {by}{having}",
            columns,
        )

    def source(self, depth: int) -> From:
        """One relation, or two or three joined."""
        found = self.relation(depth)
        for _ in range(choose(self.draw, (0, 1, 0, 1, 2))):
            found = self.join(found, self.relation(max(depth - 1, 0)))
        return self.lateral(found) if once_in(self.draw, 10) else found

    def lateral(self, left: From) -> From:
        """What a query says of each row, beside the row."""
        text, columns = subqueries.lateral(self.draw, left.columns, *self.another())
        self.aliases += 1
        alias = f"t{self.aliases}"
        join = choose(self.draw, ("CROSS JOIN LATERAL ({}) AS {}", "LEFT JOIN LATERAL ({}) AS {} ON TRUE"))
        beside = {f"{alias}.{name}": kind for name, kind in columns.items()}
        return From(f"{left.text} {join.format(text, alias)}", {**left.columns, **beside}, left.star)

    def relation(self, depth: int) -> From:
        """A table, a derived table or a CTE, under an alias."""
        self.aliases += 1
        alias = f"t{self.aliases}"
        kind = choose(self.draw, ("table", "table", "table", "derived", "cte"))
        if kind == "derived" and depth:
            body, columns = self.query(depth - 1)
            text = f"({body}) {alias}"
        elif kind == "cte" and depth:
            name, columns = self.cte(depth)
            text = f"{name} AS {alias}"
        else:
            table = choose(self.draw, self.world.tables)
            columns = dict(table.types)
            text = f"{choose(self.draw, (table.name, table.name.upper()))} {choose(self.draw, ('', 'AS '))}{alias}"
        return From(text, {f"{alias}.{name}": kind for name, kind in columns.items()}, True)

    def cte(self, depth: int) -> tuple[str, Columns]:
        """A new CTE, or one that is read already."""
        if self.ctes and once_in(self.draw, 2):
            name, _, columns = choose(self.draw, self.ctes)
            return name, columns
        body, columns = self.query(depth - 1)
        name = f"w{len(self.ctes) + 1}"
        self.ctes.append((name, body, columns))
        return name, columns

    def join(self, left: From, right: From) -> From:
        columns = {**left.columns, **right.columns}
        names = [name.rpartition(".")[2] for name in columns]
        star = left.star and right.star and len(set(names)) == len(names)
        pairs = [
            f"{a} = {b}"
            for a in left.columns
            for b in right.columns
            if scalars.family(columns[a]) == scalars.family(columns[b])
        ]
        kind = choose(self.draw, ("on", "on", "on", "cross", "comma", "any"))
        if kind == "cross":
            return From(f"{left.text} CROSS JOIN {right.text}", columns, star)
        if kind == "comma" and " JOIN " not in right.text:
            return From(f"{left.text}, {right.text}", columns, star)
        if kind == "any" or not pairs:
            word = choose(self.draw, ("JOIN", "LEFT JOIN", "RIGHT JOIN"))
            return From(f"{left.text} {word} {right.text} ON {scalars.condition(self.draw, columns)}", columns, star)
        condition = choose(self.draw, pairs)
        if once_in(self.draw, 3):
            condition = f"{condition} AND {scalars.comparison(self.draw, columns)}"
        if once_in(self.draw, 5):
            asking = choose(self.draw, (left.columns, right.columns))
            condition = f"{condition} AND {subqueries.in_on(self.draw, asking, *self.another())}"
        word = choose(self.draw, ("JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT OUTER JOIN", "FULL JOIN", "SEMI", "ANTI"))
        if word in ("SEMI", "ANTI"):
            return From(f"{left.text} LEFT {word} JOIN {right.text} ON {condition}", left.columns, left.star)
        return From(f"{left.text} {word} {right.text} ON {condition}", columns, star)

    def name(self) -> str:
        self.names += 1
        return f"c{self.names}"


def kind_of(text: str, columns: Columns) -> str:
    """The type of an expression over columns written with their qualifiers."""

    def stand_in(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            return exp.cast(exp.Null(), columns[node.sql("spark")], dialect="spark")
        return node

    found = type_of(scalars.scalar(text).tree.transform(stand_in), {})
    if scalars.family(found) not in scalars.LITERALS:
        raise AssertionError(f"the generator wrote an expression of unknown type: {text}")
    return found
