"""Function: everything the engine knows about one of Spark's built-in functions, in one frozen record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property
from typing import Optional, Union

from trickle.functions.signature import Signature
from trickle.types import UNKNOWN, Type


class Role(Enum):
    """Where a function is called, and what it makes of rows."""

    SCALAR = auto()
    """One value of one row."""
    AGGREGATE = auto()
    """One value of many rows; over a window, too."""
    WINDOW = auto()
    """Only over a window."""
    GENERATOR = auto()
    """Several rows of one, or none: in a SELECT list, in LATERAL VIEW and in FROM."""
    RELATION = auto()
    """A generator that is called in FROM alone."""
    GROUPING = auto()
    """Which keys a row of GROUPING SETS has: known before any row is read."""
    TIME_WINDOW = auto()
    """Makes rows of a row in a SELECT list, or merges rows of a GROUP BY."""
    NOT_BUILT_IN = auto()
    """A user's function, or no function at all."""


class Determinism(Enum):
    """Whether the same rows always give the same answer, and if not, on what else it depends."""

    DETERMINISTIC = auto()
    ORDER = auto()
    """The order in which an aggregate meets its rows. Where `ties` is set, that is decided."""
    RANDOM = auto()
    """Chance: a removed row would not cancel the added one. Any answer is right."""
    CLOCK = auto()
    """The instant of the run."""
    SESSION = auto()
    """Who runs the query, and where."""
    FILE = auto()
    """Where a row is stored: rows are moved without being changed."""
    FOREIGN = auto()
    """Code that is not Spark's, or files that nobody here reads."""
    UNKNOWN = auto()
    """Nothing is known of a user's function."""


class Ties(Enum):
    """How one of several right answers is chosen, always the same one."""

    SORTED = auto()
    """An array in the order in which rows happened to come: it is sorted."""
    LEAST = auto()
    """The first value: the least one."""
    GREATEST = auto()
    """The last value: the greatest one."""
    PAIRED = auto()
    """Of rows that tie in the order, the one with the least or greatest value."""
    LEAST_MODE = auto()
    """Of the most frequent values the least."""
    FINER = auto()
    """A percentile, approximated so finely that the order of rows does not matter."""
    LISTED = auto()
    """Texts joined in the user's order: texts that tie in it come in their own."""
    SHARED = auto()
    """Over a window: rows that tie have the same answer, by definition."""
    BY_ROW = auto()
    """Over a window: rows are counted one by one, whatever the frame."""
    NTH = auto()
    """Over a window: the n-th row of the frame."""

    @property
    def compares_values(self) -> bool:
        """Whether values are compared to choose, which must therefore have an order."""
        return self in (Ties.SORTED, Ties.PAIRED, Ties.LEAST, Ties.GREATEST)


class OverNoRows(Enum):
    """The answer of an aggregate over no rows."""

    NULL = auto()
    ZERO = auto()
    EMPTY_ARRAY = auto()
    UNCERTAIN = auto()
    """A bitmap or a sketch of nothing, or nobody knows."""


class WithinGroup(Enum):
    """Whether WITHIN GROUP (ORDER BY …) may follow the call."""

    NEVER = auto()
    ALLOWED = auto()
    ONE_VALUE = auto()
    REQUIRED = auto()
    """With one value."""


class Rule(Enum):
    """How the type of a result follows from the arguments."""

    FIRST = auto()
    """The type of the first argument."""
    FIRST_OR_THIRD = auto()
    """The widest of the first and the third argument."""
    WIDEST = auto()
    """The widest of all arguments."""
    ELEMENT = auto()
    """What the first argument, an array or a map, holds."""
    ARRAY_OF_FIRST = auto()
    ARRAY = auto()
    """An array; of what is not computed here."""
    CONCATENATED = auto()
    STRUCT = auto()
    """Of names and values by turns."""
    MAP = auto()
    """Of keys and values by turns."""
    ROUNDED = auto()
    SUM = auto()
    AVG = auto()


Result = Union[Type, Rule]


@dataclass(frozen=True)
class Function:
    """The facts about one function. A default means that the fact is not known, or does not apply."""

    takes: str = ""
    """How many arguments: `2-4` are two to four, `2+` two or more, `1,3` one or three; empty where syntax decides."""
    refuses: str = ""
    """By position, the kinds of types (see argument_kinds) that no argument there may have; `-` refuses none."""
    result: Result = UNKNOWN
    role: Role = Role.SCALAR
    determinism: Determinism = Determinism.DETERMINISTIC
    ties: Optional[Ties] = None
    over_no_rows: OverNoRows = OverNoRows.UNCERTAIN
    result_with: Optional[int] = None
    """The number of arguments with which the result type is certain; any where None."""
    at_least: int = 0
    """The fewest arguments, where Spark refuses fewer only after it has counted them."""
    within_group: WithinGroup = WithinGroup.NEVER
    ignores_nulls: bool = False
    """Whether it takes IGNORE NULLS."""
    shows_order: bool = False
    """Whether its answer would show the order of its rows, if they had one."""
    takes_frame: bool = True
    """Over a window: whether ROWS or RANGE may be given."""
    row_count: Optional[int] = None
    """Over a window: the position of the argument that is a number of rows, and so a constant."""
    lambda_parameters: int = 0
    """How many parameters it gives to its lambda; 0 where it takes none."""
    unites_types: bool = False
    """Whether its arguments must have a type in common."""
    unit_first: bool = False
    """Whether the first of three arguments is a word: DAY, HOUR."""
    null_only_from_null: bool = False
    """Whether it has a value wherever its arguments are an instant and constants."""
    reads_instants: bool = False
    """Whether it reads texts such as 'now' and 'today' as the instant of the run."""
    clock_reading: str = ""
    """Called without arguments it reads the clock: the name of what it reads there."""
    makes_rows_of: str = ""
    """A generator: the kinds of types it makes rows of; empty for any."""
    name: str = ""

    @cached_property
    def signature(self) -> Optional[Signature]:
        """The arguments it takes; None where they are a matter of syntax."""
        return Signature(self.takes, tuple(self.refuses.split())) if self.takes else None

    @property
    def fewest(self) -> int:
        """How many arguments it takes at least."""
        return max(self.at_least, self.signature.fewest if self.signature is not None else 0)

    @property
    def is_plain(self) -> bool:
        """Whether it is a deterministic function of one row."""
        return self.role is Role.SCALAR and self.determinism is Determinism.DETERMINISTIC

    @property
    def is_aggregate(self) -> bool:
        return self.role is Role.AGGREGATE

    @property
    def is_exact(self) -> bool:
        """Whether it is an aggregate of the bag of its arguments: computing a group again gives the same answer."""
        return self.is_aggregate and self.determinism is Determinism.DETERMINISTIC

    @property
    def is_made_deterministic(self) -> bool:
        """Whether it is an aggregate with several right answers, one of which is chosen."""
        return self.is_aggregate and self.determinism is Determinism.ORDER and self.ties is not None

    @property
    def is_generator(self) -> bool:
        return self.role in (Role.GENERATOR, Role.RELATION)


def each(names: str, facts: Function) -> Iterator[Function]:
    """The same facts for several functions."""
    return (replace(facts, name=name) for name in names.split())
