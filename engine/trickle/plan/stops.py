"""Errors that a statement of ours raises itself, when its rows show that it must not go on.

    RAISE_ERROR('dbt-trickle [stored_rows_differ]: the stored rows of shop.totals disagree with its sources; …')

Spark reports the text as a parameter of its condition USER_RAISED_EXCEPTION. The code in brackets is that of the
reason for which the result is recomputed instead.
"""

from __future__ import annotations

import re

from sqlglot import exp

from trickle.sql.build import call, cast, string

_CODE = re.compile(r"dbt-trickle \[(\w+)\]: ")


def stop(code: str, sentence: str, type_text: str) -> exp.Expr:
    """An expression of the given type that never has a value: computing it ends the statement."""
    return cast(call("RAISE_ERROR", string(f"dbt-trickle [{code}]: {sentence}")), type_text)


def code_of(raised: str) -> str:
    """The code in a text that RAISE_ERROR was given; '' where the text is the user's own."""
    code = _CODE.match(raised)
    return code[1] if code else ""
