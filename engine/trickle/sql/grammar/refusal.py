"""Refuses a text that Spark's parser cannot read, with the position and what to write instead."""

from __future__ import annotations

from trickle.errors import Unreadable
from trickle.sql.grammar.recognizer import misread
from trickle.sql.parse import span

_INSTEAD = {
    "GROUPS": "Spark has frames of ROWS and of RANGE.",
    "EXCLUDE": "Write * EXCEPT (…) for columns; a frame of Spark leaves no row out.",
    "SIMILAR": "Use RLIKE.",
    "GLOB": "Use LIKE or RLIKE.",
    "JSON": "Ask whether TRY_PARSE_JSON(…) IS NOT NULL.",
    "ISNULL": "Write IS NULL.",
    "NOTNULL": "Write IS NOT NULL.",
    "FETCH": "Use LIMIT.",
    "FIRST": "Use LIMIT for the first rows; IGNORE NULLS follows the call.",
    "NEXT": "Use LIMIT.",
    "PERCENT": "LIMIT takes a number of rows.",
    "TIES": "Use QUALIFY RANK() OVER (ORDER BY …) <= n.",
    "APPLY": "Use JOIN LATERAL.",
    "AT": "Use CONVERT_TIMEZONE or FROM_UTC_TIMESTAMP.",
    "TIME": "Use CONVERT_TIMEZONE or FROM_UTC_TIMESTAMP.",
    "PRECISION": "Write DOUBLE.",
    "TEXT": "Write STRING.",
    "BOOL": "Write BOOLEAN.",
    "DATETIME": "Write TIMESTAMP_NTZ.",
    "JSONB": "Write VARIANT.",
    "IGNORE": "IGNORE NULLS follows the call.",
    "RESPECT": "RESPECT NULLS follows the call.",
    "ORDER": "Spark takes no ORDER BY inside an aggregate call: use WITHIN GROUP (ORDER BY …), or MAX_BY.",
    "HAVING": "Use MAX_BY or MIN_BY.",
    "TO": "Use RLIKE for SIMILAR TO.",
    "[": "Write ARRAY(…).",
    "@": "For a version write VERSION AS OF.",
}
"""Remedies for the syntax of other databases, by the word at which Spark stops."""


def refuse_misread(text: str) -> None:
    """Raise for a text that Spark's parser cannot read."""
    stop = misread(text)
    if stop is None:
        return
    remedy = _INSTEAD.get(stop.word.upper(), "")
    position = span(text, stop.start, stop.end)
    if not stop.word:
        raise Unreadable("the SQL cannot be read: something is missing after this", position, remedy)
    raise Unreadable(f"the SQL cannot be read: Spark does not expect {stop.word} here", position, remedy)
