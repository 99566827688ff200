"""Spark SQL as sqlglot reads and prints it, less its habit of renaming functions.

sqlglot knows many functions by meaning and prints INSTR as LOCATE or NVL as COALESCE. The user's own functions must
come out under the names and with the arguments they went in with, so only those the engine itself looks into are
known here; every other call is kept as a name with arguments.
"""

from __future__ import annotations

import re
from functools import reduce
from types import FunctionType
from typing import Any, ClassVar, Optional

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.generators.spark import SparkGenerator
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import Token, TokenType

from trickle.sql.pipes import PipeParser
from trickle.sql.routines import CALL, RoutineCall
from trickle.sql.tokens import readable

UNDERSTOOD = frozenset({"COUNT", "SUM", "AVG", "MIN", "MAX", "COUNT_IF", "COALESCE", "IF", "ARRAY"})
"""ARRAY is among them because the parser takes the subscript of an unknown ARRAY(…) for its elements."""

UNIT_FIRST = frozenset({"DATEADD", "DATE_ADD", "DATEDIFF", "DATE_DIFF", "TIMEDIFF", "TIMESTAMPADD", "TIMESTAMPDIFF"})
"""Functions whose first of three arguments is a word (DAY, HOUR), not a column."""

AGGREGATES_OF_SYNTAX = frozenset(
    {"APPROX_PERCENTILE", "LISTAGG", "MAX_BY", "MIN_BY", "PERCENTILE", "PERCENTILE_APPROX", "STRING_AGG"}
)
"""Aggregates that the parser reads by rules of their own, and prints under other names."""

IS_NOT = "trickle_is_not"
"""Of a NOT: it was written as IS NOT NULL, which Spark tells from NOT … IS NULL."""

UNITS = "trickle_units"
"""Of a sum in parentheses: it was written as one INTERVAL of several units."""

LEVELS = "levels"
"""Of a CTE: the number in MAX RECURSION LEVEL, which stands between its name and AS."""

if not isinstance(SparkParser.__init__, FunctionType):
    raise ImportError(
        "dbt-trickle extends sqlglot's parser, and sqlglotc has put a compiled one in its place, which nothing can "
        "extend: run `pip uninstall sqlglotc`."
    )

_KEYS = re.compile(r"""`([^`]+)`|'([^']+)'|"([^"]+)"|([^\W\d]\w*)""")


class PathOf(exp.Expression):
    """value:path, what is found there in a VARIANT. The path is kept as written."""

    arg_types: ClassVar = {"this": True, "path": True}

    @property
    def last_key(self) -> str:
        """What Spark calls it where nobody does: the last name in the path."""
        keys = _KEYS.findall(str(self.args["path"].name))
        return next((key for key in keys[-1] if key), "") if keys else ""


class Spliced(exp.Var):
    """A text that stands in a tree as it is written."""


class FullParser(PipeParser):
    """Spark's parser, which reads all that Spark reads, and how deep a recursion may go."""

    COLON_IS_VARIANT_EXTRACT: ClassVar = True
    ADD_JOIN_ON_TRUE: ClassVar = False

    def parse(self, raw_tokens: list[Token], sql: str) -> list[Optional[exp.Expr]]:
        return super().parse(readable(raw_tokens, sql), sql)

    def _parse_table_alias(self, *given: Any, **named: Any) -> Optional[exp.TableAlias]:
        """A CTE's name and columns, with the levels its recursion may have: `t(a) MAX RECURSION LEVEL 200 AS (…)`."""
        found = super()._parse_table_alias(*given, **named)
        if found is not None and self._match_text_seq("MAX", "RECURSION", "LEVEL"):
            found.set(LEVELS, self._parse_number())
        return found

    def _parse_interval(self, require_interval: bool = True, parse_function_unit: bool = True) -> Any:
        """INTERVAL 1 YEAR 2 MONTHS is one value: what stands before it, as in x - …, is not of its first part alone.

        A number behind a plus is no part of it, though sqlglot takes it for one.
        """
        index = self._index
        found = super()._parse_interval(require_interval, parse_function_unit)
        if not isinstance(found, exp.Add):
            return found
        self._retreat(index)
        self._match(TokenType.INTERVAL)
        parts: list[exp.Expr] = []
        while not parts or self._match_set((TokenType.STRING, TokenType.NUMBER), advance=False):
            value: Any = self._parse_unary()
            parts.append(self._parse_interval_span(value, parse_function_unit))
        total = reduce(lambda one, other: exp.Add(this=one, expression=other), parts)
        if len(parts) == 1:
            return total
        whole = exp.Paren(this=total)
        whole.meta[UNITS] = True
        return whole

    def _parse_is(self, this: Optional[exp.Expr]) -> Optional[exp.Expr]:
        found = super()._parse_is(this)
        if (
            isinstance(found, exp.Not)
            and isinstance(found.this, exp.Is)
            and isinstance(found.this.expression, exp.Null)
        ):
            found.meta[IS_NOT] = True
        return found


class VerbatimParser(FullParser):
    """The same with most functions unknown to it."""

    FUNCTIONS: ClassVar = {name: build for name, build in SparkParser.FUNCTIONS.items() if name in UNDERSTOOD}
    FUNCTION_PARSERS: ClassVar = {
        name: parse for name, parse in SparkParser.FUNCTION_PARSERS.items() if name not in AGGREGATES_OF_SYNTAX
    }

    def _parse_substring(self) -> Any:
        return self._parse_called() or super()._parse_substring()

    def _parse_position(self, haystack_first: bool = False) -> Any:
        return self._parse_called() or super()._parse_position(haystack_first)

    def _parse_called(self) -> Optional[exp.Expr]:
        """SUBSTR(s, 1, 2) is SUBSTRING(s, 1, 2), but Spark's plans tell what it was called. Not SUBSTR(s FROM 1)."""
        index, name = self._index, self._tokens[self._index - 2].text
        given = self._parse_csv(self._parse_lambda)
        if len(given) > 1 and self._match(TokenType.R_PAREN, advance=False):
            return self.expression(exp.Anonymous(this=name, expressions=given))
        self._retreat(index)
        return None

    def _parse_hint(self) -> Optional[exp.Hint]:
        """A hint is kept as it is written: what it names is not read, and what it calls is no function."""
        if self._match(TokenType.HINT) and self._prev_comments:
            return exp.Hint(expressions=[exp.Var(this=self._prev_comments[0].strip())])
        return None

    def _parse_colon_as_variant_extract(self, this: Optional[exp.Expr]) -> Optional[exp.Expr]:
        while this is not None and self._match(TokenType.COLON):
            this = self._parse_column_ops(self.expression(PathOf(this=this, path=self._parse_path())))
        return this

    def _parse_path(self) -> exp.Expr:
        """a.b[0]['c d'], with its place in the text."""
        first = self._curr
        if not self._match(TokenType.L_BRACKET, advance=False):
            self._advance()
        while self._match_set((TokenType.DOT, TokenType.L_BRACKET)):
            self._advance()
            if self._prev.token_type in (TokenType.NUMBER, TokenType.STRING):
                self._match(TokenType.R_BRACKET)
        path = exp.Var(this=self._find_sql(first, self._prev))
        path.meta.update(start=first.start, end=self._prev.end)
        return path

    def _parse_function_call(self, *given: Any, **named: Any) -> Optional[exp.Expr]:
        """Calls remember where they begin and end: those of the clock are replaced in the user's own text."""
        first = self._curr
        found = super()._parse_function_call(*given, **named)
        if isinstance(found, exp.Func) and first is not None and self._prev is not None:
            found.meta[CALL] = (first.start, self._prev.end)
        return found


def _path_of(generator: SparkGenerator, node: PathOf) -> str:
    value, shown = node.this, generator.sql(node, "this")
    simple = isinstance(value, (exp.Column, exp.Identifier, exp.Dot, exp.Anonymous, exp.Paren, PathOf))
    return f"{shown if simple else f'({shown})'}:{node.args['path'].name}"


def _routine(generator: SparkGenerator, node: RoutineCall) -> str:
    name = ".".join(generator.sql(part) for part in node.args["parts"])
    return generator.func(name, *node.expressions, normalize=False)


class VerbatimGenerator(SparkGenerator):
    """Spark's printer for what is Spark's own already: other dialects' QUALIFY, UNNEST and ANY need no translation."""

    TRANSFORMS: ClassVar = {
        **{kind: way for kind, way in SparkGenerator.TRANSFORMS.items() if kind is not exp.Select},
        PathOf: lambda generator, node: _path_of(generator, node),
        RoutineCall: lambda generator, node: _routine(generator, node),
        Spliced: lambda generator, node: str(node.this),
        exp.BitwiseLeftShift: lambda generator, node: generator.binary(node, "<<"),
        exp.BitwiseRightShift: lambda generator, node: generator.binary(node, ">>"),
    }
    EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[type[exp.Expr]]] = {exp.Insert}
    """A query's WITH stays where it stands: above the whole, its names would hide others."""

    def not_sql(self, expression: exp.Not) -> str:
        if expression.meta_get(IS_NOT) and isinstance(expression.this, exp.Is):
            return f"{self.sql(expression.this, 'this')} IS NOT NULL"
        return super().not_sql(expression)

    def paren_sql(self, expression: exp.Paren) -> str:
        if not expression.meta_get(UNITS):
            return super().paren_sql(expression)
        parts = [self.sql(part).removeprefix("INTERVAL ") for part in expression.this.flatten()]
        return f"INTERVAL {' '.join(parts)}"

    def tablealias_sql(self, expression: exp.TableAlias) -> str:
        levels = expression.args.get(LEVELS)
        named = super().tablealias_sql(expression)
        return named if levels is None else f"{named} MAX RECURSION LEVEL {self.sql(levels)}"


class Full(Spark):
    """Spark's dialect with functions known by what they mean, to be translated into another."""

    Parser = FullParser


class Verbatim(Spark):
    """Spark's dialect with function calls kept as written."""

    Parser = VerbatimParser
    Generator = VerbatimGenerator
