"""schedule: when the table is due. Kept as one text; the engine reads it for the whole graph at once."""

from __future__ import annotations

import json

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key
from trickle import TrickleError
from trickle.schedule.parse import parse_schedule


def _read(value: object) -> str:
    if value is None:
        return ""
    try:
        parse_schedule(value)
    except TrickleError as wrong:
        raise CompilationError(wrong.message) from wrong
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def schedule_from_text(text: str) -> object:
    """The configured value back from the text that the storage keeps."""
    return json.loads(text) if text.startswith("{") else text or None


SCHEDULE = Key("schedule", None, _read)
