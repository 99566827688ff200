"""How the last dbt command ended for each node: what a log cannot tell, because a refresh that failed wrote nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

FAILED = frozenset({"error", "fail", "runtime error"})


@dataclass(frozen=True)
class Outcome:
    """A node of the last dbt command."""

    status: str
    message: str
    action: str
    reason: str
    at: int | None
    """When it ended, epoch milliseconds."""

    @property
    def failed(self) -> bool:
        return self.status in FAILED


def read_outcomes(file: Path) -> dict[str, Outcome]:
    """run_results.json, which is a convenience: without it, or half written, nothing is known of the last command."""
    try:
        results = json.loads(file.read_bytes())["results"]
        return {str(one["unique_id"]): _outcome(one) for one in results}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _outcome(result: Mapping[str, Any]) -> Outcome:
    response = result.get("adapter_response") or {}
    return Outcome(
        status=str(result["status"]),
        message=" ".join(str(result.get("message") or "").split()),
        action=str(response.get("action") or ""),
        reason=str(response.get("reason_code") or ""),
        at=_ended(result.get("timing") or ()),
    )


def _ended(timing: Any) -> int | None:
    ends = [str(one["completed_at"]) for one in timing if one.get("completed_at")]
    if not ends:
        return None
    return int(datetime.fromisoformat(max(ends).replace("Z", "+00:00")).timestamp() * 1000)
