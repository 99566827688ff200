"""Spark's dialect for sqlglot, with function calls kept under the names the user wrote.

sqlglot maps functions to their meaning and prints INSTR as LOCATE or NVL as COALESCE. The user's calls must be printed
with their own names and arguments, so only the functions that the engine inspects are parsed to typed nodes; every
other call is kept as a name with arguments.
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

PARSED_FUNCTIONS = frozenset({"COUNT", "SUM", "AVG", "MIN", "MAX", "COUNT_IF", "COALESCE", "IF", "ARRAY"})
"""Functions parsed to typed nodes. ARRAY is among them because the parser would take the subscript of an unknown
ARRAY(…) for its elements."""

AGGREGATES_WITH_SYNTAX = frozenset(
    {"APPROX_PERCENTILE", "LISTAGG", "MAX_BY", "MIN_BY", "PERCENTILE", "PERCENTILE_APPROX", "STRING_AGG"}
)
"""Aggregates that sqlglot parses by special rules and prints under other names."""

IS_NOT = "trickle_is_not"
"""Mark of a NOT that was written as IS NOT NULL: Spark's plans distinguish it from NOT … IS NULL."""

UNITS = "trickle_units"
"""Mark of a sum in parentheses that was written as one INTERVAL of several units."""

LEVELS = "levels"
"""Argument of a CTE's alias: the number in MAX RECURSION LEVEL, which is written between its name and AS."""

if not isinstance(SparkParser.__init__, FunctionType):
    raise ImportError(
        "dbt-trickle extends sqlglot's parser, and sqlglotc has replaced it by a compiled one that cannot be extended: "
        "run `pip uninstall sqlglotc`."
    )

_KEYS = re.compile(r"""`([^`]+)`|'([^']+)'|"([^"]+)"|([^\W\d]\w*)""")


class PathOf(exp.Expression):
    """value:path, the part of a VARIANT at a path. The path is kept as written."""

    arg_types: ClassVar = {"this": True, "path": True}

    @property
    def last_key(self) -> str:
        """The name Spark gives the column where the query gives none: the last name in the path."""
        keys = _KEYS.findall(str(self.args["path"].name))
        return next((key for key in keys[-1] if key), "") if keys else ""


class Spliced(exp.Var):
    """Text inside a tree that is printed unchanged."""


class FullParser(PipeParser):
    """sqlglot's Spark parser, corrected where it parses differently from Spark."""

    COLON_IS_VARIANT_EXTRACT: ClassVar = True
    ADD_JOIN_ON_TRUE: ClassVar = False

    def parse(self, raw_tokens: list[Token], sql: str) -> list[Optional[exp.Expr]]:
        return super().parse(readable(raw_tokens, sql), sql)

    def _parse_table_alias(self, *given: Any, **named: Any) -> Optional[exp.TableAlias]:
        """A CTE's name and columns, with the levels its recursion may have: `t(a) MAX RECURSION LEVEL 200 AS (…)`."""
        alias = super()._parse_table_alias(*given, **named)
        if alias is not None and self._match_text_seq("MAX", "RECURSION", "LEVEL"):
            alias.set(LEVELS, self._parse_number())
        return alias

    def _parse_interval(self, require_interval: bool = True, parse_function_unit: bool = True) -> Any:
        """INTERVAL 1 YEAR 2 MONTHS is one value: an operator before it, as in x - …, applies to all of it.

        A number after a plus is not part of the interval, although sqlglot parses it so.
        """
        index = self._index
        parsed = super()._parse_interval(require_interval, parse_function_unit)
        if not isinstance(parsed, exp.Add):
            return parsed
        self._retreat(index)
        self._match(TokenType.INTERVAL)
        parts: list[exp.Expr] = []
        while not parts or self._match_set((TokenType.STRING, TokenType.NUMBER), advance=False):
            value: Any = self._parse_unary()
            parts.append(self._parse_interval_span(value, parse_function_unit))
        total = reduce(lambda term, next_term: exp.Add(this=term, expression=next_term), parts)
        if len(parts) == 1:
            return total
        whole = exp.Paren(this=total)
        whole.meta[UNITS] = True
        return whole

    def _parse_is(self, this: Optional[exp.Expr]) -> Optional[exp.Expr]:
        parsed = super()._parse_is(this)
        if (
            isinstance(parsed, exp.Not)
            and isinstance(parsed.this, exp.Is)
            and isinstance(parsed.this.expression, exp.Null)
        ):
            parsed.meta[IS_NOT] = True
        return parsed


class VerbatimParser(FullParser):
    """The parser with only PARSED_FUNCTIONS as typed nodes."""

    FUNCTIONS: ClassVar = {name: build for name, build in SparkParser.FUNCTIONS.items() if name in PARSED_FUNCTIONS}
    FUNCTION_PARSERS: ClassVar = {
        name: parse for name, parse in SparkParser.FUNCTION_PARSERS.items() if name not in AGGREGATES_WITH_SYNTAX
    }

    def _parse_substring(self) -> Any:
        return self._parse_called() or super()._parse_substring()

    def _parse_position(self, haystack_first: bool = False) -> Any:
        return self._parse_called() or super()._parse_position(haystack_first)

    def _parse_called(self) -> Optional[exp.Expr]:
        """SUBSTR(s, 1, 2) as a call by name: Spark's plans distinguish it from SUBSTRING. None for SUBSTR(s FROM 1)."""
        index, name = self._index, self._tokens[self._index - 2].text
        given = self._parse_csv(self._parse_lambda)
        if len(given) > 1 and self._match(TokenType.R_PAREN, advance=False):
            return self.expression(exp.Anonymous(this=name, expressions=given))
        self._retreat(index)
        return None

    def _parse_hint(self) -> Optional[exp.Hint]:
        """A hint is kept as it is written: its names are not relations, and its calls are not functions."""
        if self._match(TokenType.HINT) and self._prev_comments:
            return exp.Hint(expressions=[exp.Var(this=self._prev_comments[0].strip())])
        return None

    def _parse_colon_as_variant_extract(self, this: Optional[exp.Expr]) -> Optional[exp.Expr]:
        while this is not None and self._match(TokenType.COLON):
            this = self._parse_column_ops(self.expression(PathOf(this=this, path=self._parse_path())))
        return this

    def _parse_path(self) -> exp.Expr:
        """a.b[0]['c d'], with its position in the text."""
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
        """A call with its offsets in the text: clock calls are replaced in the user's own text."""
        first = self._curr
        parsed = super()._parse_function_call(*given, **named)
        if isinstance(parsed, exp.Func) and first is not None and self._prev is not None:
            parsed.meta[CALL] = (first.start, self._prev.end)
        return parsed


def _path_of(generator: SparkGenerator, node: PathOf) -> str:
    value, shown = node.this, generator.sql(node, "this")
    simple = isinstance(value, (exp.Column, exp.Identifier, exp.Dot, exp.Anonymous, exp.Paren, PathOf))
    return f"{shown if simple else f'({shown})'}:{node.args['path'].name}"


def _routine(generator: SparkGenerator, node: RoutineCall) -> str:
    name = ".".join(generator.sql(part) for part in node.args["parts"])
    return generator.func(name, *node.expressions, normalize=False)


class VerbatimGenerator(SparkGenerator):
    """Prints trees that are Spark SQL already: QUALIFY, UNNEST and ANY of other dialects need no translation."""

    TRANSFORMS: ClassVar = {
        **{kind: transform for kind, transform in SparkGenerator.TRANSFORMS.items() if kind is not exp.Select},
        PathOf: lambda generator, node: _path_of(generator, node),
        RoutineCall: lambda generator, node: _routine(generator, node),
        Spliced: lambda generator, node: str(node.this),
        exp.BitwiseLeftShift: lambda generator, node: generator.binary(node, "<<"),
        exp.BitwiseRightShift: lambda generator, node: generator.binary(node, ">>"),
    }
    EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[type[exp.Expr]]] = {exp.Insert}
    """A query's WITH stays in place: moved to the top, its names would hide others."""

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
    """Spark's dialect with functions parsed to their meaning, for translation into another dialect."""

    Parser = FullParser


class Verbatim(Spark):
    """Spark's dialect with function calls kept as written."""

    Parser = VerbatimParser
    Generator = VerbatimGenerator
