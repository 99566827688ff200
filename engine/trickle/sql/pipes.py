"""FROM t |> WHERE x > 1 |> SELECT …: each step is a SELECT over the previous step as a derived table.

sqlglot would add a step's clauses to the SELECT before it, which changes their meaning: a WHERE after a LIMIT filters
the limited rows, and a SELECT DISTINCT is more than its columns.
"""

from __future__ import annotations

from typing import Optional

from sqlglot import exp
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

_SETS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})
_PIVOTS = frozenset({TokenType.PIVOT, TokenType.UNPIVOT})
_ROW_CLAUSES = frozenset({"joins", "laterals", "from_", "expressions"})
_LIMITS = frozenset({"LIMIT", "OFFSET"})
_NO_KEYS = ("ALL", "ROLLUP", "CUBE", "GROUPING")


class PipeParser(SparkParser):
    """Spark's parser with pipe steps evaluated in order."""

    def _parse_pipe_syntax_query(self, query: exp.Query) -> exp.Query:
        while self._match(TokenType.PIPE_GT):
            query = self._parse_step(query)
        return query

    def _parse_step(self, query: exp.Query) -> exp.Query:
        if self._curr is None:
            self.raise_error("Unsupported pipe syntax operator: ''")
        if self._match(TokenType.SELECT, advance=False):
            return self._parse_select_step(query)
        if self._match_text_seq("EXTEND"):
            return _with_outputs(query, [exp.Star(), *self._parse_expressions()])
        if self._match_text_seq("DROP"):
            dropped = self._parse_csv(self._parse_id_var)
            return _with_outputs(query, [exp.Star(except_=[exp.column(name) for name in dropped])])
        if self._match_text_seq("AS"):
            alias = exp.TableAlias(this=self._parse_id_var())
            return _select_all(exp.Subquery(this=query, alias=alias))
        if self._match_text_seq("AGGREGATE"):
            return self._parse_aggregate_step(query)
        if self._curr.token_type in _PIVOTS:
            rows = exp.Subquery(this=query)
            rows.set("pivots", self._parse_pivots())
            return _select_all(rows)
        if self._curr.token_type in _SETS or self._curr.text.upper() == "MINUS":
            return self.parse_set_operation(_select_all(exp.Subquery(this=query))) or query
        return self._parse_clauses(query)

    def _parse_select_step(self, query: exp.Query) -> exp.Query:
        select = self._parse_select(consume_pipe=False, parse_set_operation=False)
        if not isinstance(select, exp.Select) or select.args.get("from_"):
            self.raise_error("Unsupported pipe syntax operator: 'SELECT'")
            return query
        over = _over(query, filtered=True)
        for clause in ("from_", "joins", "laterals", "where"):
            select.set(clause, over.args.get(clause))
        return select

    def _parse_aggregate_step(self, query: exp.Query) -> exp.Query:
        grouped_at_once = self._match(TokenType.GROUP_BY, advance=False)
        measures = [] if grouped_at_once else self._parse_expressions()
        keys: list[exp.Expr] = []
        if self._match(TokenType.GROUP_BY):
            if self._curr is None or self._curr.text.upper().startswith(_NO_KEYS):
                self.raise_error("Unsupported pipe syntax operator: 'AGGREGATE' with several groupings")
            keys = self._parse_expressions()
        if any(isinstance(key.unalias(), exp.Literal) for key in keys):
            self.raise_error("Unsupported pipe syntax operator: 'AGGREGATE' by position")
        grouped = _with_outputs(query, [*keys, *measures])
        if keys:
            grouped.set("group", exp.Group(expressions=[key.unalias().copy() for key in keys]))
        return grouped

    def _parse_clauses(self, query: exp.Query) -> exp.Query:
        """WHERE, JOIN, LATERAL VIEW, ORDER BY, LIMIT. A LIMIT after an ORDER BY takes the first rows of that order."""
        text, index = self._curr.text, self._index
        rows = query if text.upper() in _LIMITS and _is_ordered(query) else _over(query)
        step: Optional[exp.Expr] = self._parse_query_modifiers(rows)
        if self._index == index or not isinstance(step, exp.Query):
            self.raise_error(f"Unsupported pipe syntax operator: '{text}'")
            return query
        return step


def _is_ordered(query: exp.Query) -> bool:
    """Whether the query ends in ORDER BY without a LIMIT or OFFSET."""
    return bool(query.args.get("order")) and not any(query.args.get(name) for name in ("limit", "offset"))


def _over(query: exp.Query, filtered: bool = False) -> exp.Select:
    """SELECT * over the previous step; the query itself, with its table names, where it has only joins or a WHERE."""
    clauses = {name for name, value in query.args.items() if value} - ({"where"} if filtered else set())
    if isinstance(query, exp.Select) and clauses <= _ROW_CLAUSES and query.expressions == [exp.Star()]:
        return query
    return _select_all(exp.Subquery(this=query, alias=_single_table_name(query)))


def _single_table_name(query: exp.Query) -> Optional[exp.TableAlias]:
    """The alias of the single table of which the query keeps all columns; None for any other query."""
    source = query.args.get("from_")
    several = any(query.args.get(clause) for clause in ("joins", "laterals", "pivots"))
    if not isinstance(query, exp.Select) or query.expressions != [exp.Star()] or source is None or several:
        return None
    name = source.this.alias_or_name
    return exp.TableAlias(this=exp.to_identifier(name)) if name and not source.this.args.get("pivots") else None


def _select_all(rows: exp.Expr) -> exp.Select:
    return exp.Select(expressions=[exp.Star()]).from_(rows, copy=False)


def _with_outputs(query: exp.Query, expressions: list[exp.Expr]) -> exp.Select:
    over = _over(query, filtered=True)
    over.set("expressions", expressions)
    return over
