"""What Spark's parser stops at, as a refusal with its place and what to write instead."""

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
    "FIRST": "Use LIMIT for the first rows; IGNORE NULLS stands behind the call.",
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
    "IGNORE": "IGNORE NULLS stands behind the call.",
    "RESPECT": "RESPECT NULLS stands behind the call.",
    "ORDER": "Beside an aggregate's values Spark takes no ORDER BY: use WITHIN GROUP (ORDER BY …), or MAX_BY.",
    "HAVING": "Use MAX_BY or MIN_BY.",
    "TO": "Use RLIKE for SIMILAR TO.",
    "[": "Write ARRAY(…).",
    "@": "For a version write VERSION AS OF.",
}
"""What other databases write, by the word at which Spark stops."""


def refuse_misread(text: str) -> None:
    """Raise for a text that Spark's parser cannot read."""
    found = misread(text)
    if found is None:
        return
    remedy = _INSTEAD.get(found.word.upper(), "")
    place = span(text, found.start, found.end)
    if not found.word:
        raise Unreadable("the SQL cannot be read: something is missing behind this", place, remedy)
    raise Unreadable(f"Spark SQL cannot go on like this: nothing reads {found.word} here", place, remedy)
