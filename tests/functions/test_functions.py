"""The records of functions agree with each other and with what the engine asks of them."""

from __future__ import annotations

import pytest

from trickle.functions import (
    FUNCTIONS,
    Determinism,
    Function,
    OverNoRows,
    Role,
    Rule,
    Ties,
    WithinGroup,
    facts_of,
    names_of,
)
from trickle.functions.argument_kinds import kind_of
from trickle.functions.operands import cannot_be_ordered_by, refuses_operand, refuses_pair
from trickle.functions.signature import Signature
from trickle.types import parse_type, type_text

OVER_WINDOWS = (Ties.SHARED, Ties.BY_ROW, Ties.NTH)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
def test_the_facts_of_a_function_fit_together(function: Function) -> None:
    """A tie rule chooses among answers, WITHIN GROUP belongs to aggregates, a lambda to functions of one row."""
    aggregate, window = function.is_aggregate, function.role is Role.WINDOW

    assert function.name == function.name.lower() == FUNCTIONS[function.name].name
    assert (function.ties in OVER_WINDOWS) == window
    assert window or function.ties is None or function.determinism is Determinism.ORDER
    assert function.determinism is not Determinism.ORDER or aggregate
    assert aggregate or function.over_no_rows is OverNoRows.UNCERTAIN
    assert aggregate or function.within_group is WithinGroup.NEVER
    assert function.is_plain or not function.lambda_parameters
    assert function.is_generator or not function.makes_rows_of
    assert not function.clock_reading or facts_of(function.clock_reading).clock_reading == function.clock_reading
    assert function.at_least == 0 or (function.signature is not None and function.at_least > function.signature.fewest)


@pytest.mark.parametrize(
    "function", [one for one in FUNCTIONS.values() if one.is_made_deterministic], ids=lambda one: one.name
)
def test_a_chosen_answer_over_no_rows_is_known(function: Function) -> None:
    """A query without GROUP BY has a row even where there is no group."""
    assert function.over_no_rows is not OverNoRows.UNCERTAIN


def test_what_is_derived_comes_from_the_records() -> None:
    """Sets of names are computed, not kept."""
    assert names_of(lambda one: one.role is Role.GROUPING) == {"grouping", "grouping_id"}
    assert {one.clock_reading for one in FUNCTIONS.values()} - {""} == {
        "current_date",
        "current_timestamp",
        "localtimestamp",
        "unix_timestamp",
    }
    assert len(FUNCTIONS) == 551


def test_of_a_users_function_nothing_is_known() -> None:
    """It is neither refused nor maintained by what we know of Spark's own."""
    own = facts_of("no_such_function")

    assert (own.role, own.determinism, own.ties) == (Role.NOT_BUILT_IN, Determinism.UNKNOWN, None)
    assert not (own.is_plain or own.is_aggregate or own.is_generator)
    assert own.signature is None and own.fewest == 0


@pytest.mark.parametrize(
    ("counts", "taken", "words"),
    [
        ("1", {1}, "1 argument"),
        ("0-2", {0, 1, 2}, "0 to 2 arguments"),
        ("2+", {2, 3, 4, 5, 6, 7}, "2 or more arguments"),
        ("1,3,6+", {1, 3, 6, 7}, "1 or 3 or 6 or more arguments"),
    ],
)
def test_a_number_of_arguments_is_written_briefly(counts: str, taken: set[int], words: str) -> None:
    """And said in words."""
    signature = Signature(counts, ())

    assert {count for count in range(8) if signature.takes(count)} == taken
    assert (signature.fewest, signature.words) == (min(taken), words)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("tinyint", "i"),
        ("bigint", "b"),
        ("decimal(3,1)", "d"),
        ("float", "f"),
        ("varchar(3)", "s"),
        ("string collate UNICODE", ""),
        ("timestamp_ntz", "N"),
        ("interval day to second", "I"),
        ("interval month", "Y"),
        ("interval", ""),
        ("struct<variant_id:int>", "t"),
        ("void", ""),
        ("time(6)", ""),
        ("", ""),
    ],
)
def test_types_are_of_kinds(text: str, letter: str) -> None:
    """One letter for those that are alike to a function; none where nothing is refused for sure."""
    assert kind_of(parse_type(text)) == letter


def test_operands_are_refused_in_pairs() -> None:
    """Never where one of the types is not known."""
    number, array, unknown = parse_type("int"), parse_type("array<int>"), parse_type("")

    assert refuses_pair("EQ", number, array)
    assert not refuses_pair("EQ", number, number)
    assert not refuses_pair("EQ", number, unknown)
    assert refuses_operand("Not", number)
    assert not refuses_operand("Not", unknown)
    assert cannot_be_ordered_by(parse_type("map<int,int>"))
    assert not cannot_be_ordered_by(array)


def test_a_result_is_a_type_or_a_rule() -> None:
    """A type that is written down is complete."""
    results = [one.result for one in FUNCTIONS.values()]

    assert all(isinstance(one, Rule) or one == parse_type(type_text(one)) for one in results)
