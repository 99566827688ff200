"""Columns as Spark answers them, in the form of a Delta schema."""

from __future__ import annotations

import json
from collections.abc import Sequence


def schema_string(columns: Sequence[tuple[str, str]]) -> str:
    """Each type is one text: nested fields are compared as a whole, and nullability is not known."""
    fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in columns]
    return json.dumps({"type": "struct", "fields": fields})
