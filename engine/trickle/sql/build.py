"""Constructors of small trees that sqlglot lacks. Every function returns a tree with no other owner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from trickle.sql.dialect import LEVELS, Spliced
from trickle.types import is_castable, parse_type


def identifier(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def column(name: str, table: str | None = None) -> exp.Column:
    """A column reference, always quoted."""
    return exp.Column(this=identifier(name), table=identifier(table) if table else None)


def alias(tree: exp.Expr, name: str) -> exp.Alias:
    return exp.Alias(this=tree, alias=identifier(name))


def integer(value: int) -> exp.Expr:
    number = exp.Literal(this=str(abs(value)), is_string=False)
    return exp.Neg(this=number) if value < 0 else number


def string(value: str) -> exp.Literal:
    return exp.Literal(this=value, is_string=True)


def table(name: Sequence[str], alias_name: str | None = None, version: int | None = None) -> exp.Table:
    """A table by its physical name, optionally as it was at a version."""
    *schema, last = name
    tree = exp.Table(this=identifier(last), db=identifier(schema[-1]) if schema else None)
    if len(schema) > 1:
        tree.set("catalog", identifier(schema[-2]))
    if version is not None:
        tree.set("version", exp.Version(this="VERSION", kind="AS OF", expression=integer(version)))
    if alias_name:
        tree.set("alias", exp.TableAlias(this=identifier(alias_name)))
    return tree


def subquery(query: exp.Query, alias_name: str) -> exp.Subquery:
    return exp.Subquery(this=query, alias=exp.TableAlias(this=identifier(alias_name)))


def broadcast(names: Iterable[str]) -> exp.Hint:
    """The hint that broadcasts these relations, so that the other side of the join is not shuffled."""
    return exp.Hint(expressions=[exp.Anonymous(this="BROADCAST", expressions=[column(name) for name in names])])


def one_task(relation: exp.Expr) -> exp.Select:
    """All rows of a relation in one task, so that an aggregation or window over them needs no shuffle."""
    hint = exp.Hint(expressions=[exp.Anonymous(this="COALESCE", expressions=[integer(1)])])
    inner = relation.this if isinstance(relation, exp.Subquery) else None
    select = (
        inner if isinstance(inner, exp.Select) else exp.Select(expressions=[exp.Star()]).from_(relation, copy=False)
    )
    select.set("hint", hint)
    return select


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """A call of a function by its Spark name."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def null_of(type_text: str) -> exp.Expr:
    """NULL as a value of the type, where it is known."""
    return cast(exp.Null(), type_text) if is_castable(parse_type(type_text)) else exp.Null()


def cast(tree: exp.Expr, type_text: str) -> exp.Cast:
    return exp.Cast(this=tree, to=exp.DataType.build(type_text, dialect="spark"))


def all_of(conditions: Iterable[exp.Expr]) -> exp.Expr | None:
    """Conjunction in the order given; None when there are no conditions."""
    result: exp.Expr | None = None
    for condition in conditions:
        wrapped = exp.Paren(this=condition) if isinstance(condition, exp.Or) else condition
        result = wrapped if result is None else exp.And(this=result, expression=wrapped)
    return result


def any_of(conditions: Iterable[exp.Expr]) -> exp.Expr | None:
    """Disjunction in the order given; None when there are no conditions."""
    result: exp.Expr | None = None
    for condition in conditions:
        result = condition if result is None else exp.Or(this=result, expression=condition)
    return result


def conjuncts(tree: exp.Expr) -> list[exp.Expr]:
    """a AND (b AND c) → a, b, c"""
    while isinstance(tree, exp.Paren):
        tree = tree.this
    if isinstance(tree, exp.And):
        return [*conjuncts(tree.left), *conjuncts(tree.right)]
    return [tree]


def same(left: exp.Expr, right: exp.Expr) -> exp.NullSafeEQ:
    """left <=> right: null-safe equality, as in grouping, unlike =."""
    return exp.NullSafeEQ(this=operand(left), expression=operand(right))


def operand(tree: exp.Expr) -> exp.Expr:
    """A tree as an operand of any operator: in parentheses where operator precedence could regroup it."""
    open_ended = (exp.Binary, exp.Unary, exp.Between, exp.In)
    return exp.Paren(this=tree) if isinstance(tree, open_ended) and not isinstance(tree, exp.Paren) else tree


def negative(tree: exp.Expr) -> exp.Neg:
    return exp.Neg(this=operand(tree))


def product(left: exp.Expr, right: exp.Expr) -> exp.Mul:
    return exp.Mul(this=operand(left), expression=operand(right))


def case(condition: exp.Expr, then: exp.Expr, otherwise: exp.Expr) -> exp.Case:
    return exp.Case(ifs=[exp.If(this=condition, true=then)], default=otherwise)


def not_null(tree: exp.Expr) -> exp.Not:
    return exp.Not(this=exp.Is(this=tree, expression=exp.Null()))


def union_all(queries: Sequence[exp.Query]) -> exp.Query:
    """Left-deep UNION ALL; a single query is returned as it is."""
    result, *rest = queries
    for query in rest:
        result = exp.Union(this=result, expression=query, distinct=False)
    return result


def substitute(tree: exp.Expr, values: dict[str, exp.Expr]) -> exp.Expr:
    """A copy of a tree over unqualified columns, with each column replaced by a copy of `values[name]`."""

    def substituted(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table:
            value = values[node.name].copy()
            parent = node.parent
            return operand(value) if parent is not None else value
        return node

    return tree.transform(substituted, copy=True)


def verbatim(text: str) -> Spliced:
    """Text that is printed unchanged: the user's own SELECT."""
    return Spliced(this=text)


def named_columns(query: exp.Expr, alias_name: str, names: Sequence[str]) -> exp.Subquery:
    """A query as a relation with these column names, by position."""
    columns = [identifier(name) for name in names]
    return exp.Subquery(this=query, alias=exp.TableAlias(this=identifier(alias_name), columns=columns))


def with_ctes(query: exp.Query, ctes: Sequence[exp.CTE]) -> exp.Query:
    """A query with CTEs, in their order; RECURSIVE where a CTE reads itself."""
    if not ctes:
        return query
    recursive = any(_reads_itself(cte) for cte in ctes)
    query.set("with_", exp.With(expressions=list(ctes), recursive=recursive or None))
    return query


def cte(name: str, query: exp.Query, levels: int | None = None) -> exp.CTE:
    """A CTE; `levels` is its MAX RECURSION LEVEL, None for Spark's default."""
    alias_name = exp.TableAlias(this=identifier(name))
    if levels is not None:
        alias_name.set(LEVELS, integer(levels))
    return exp.CTE(this=query, alias=alias_name)


def _reads_itself(cte: exp.CTE) -> bool:
    return any(table.name == cte.alias and not table.db for table in cte.this.find_all(exp.Table))
