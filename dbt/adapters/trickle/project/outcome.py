"""How the last dbt command ended for each node; logs lack this, because a failed refresh writes nothing."""

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
    """The result of one node in the last dbt command."""

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
    """The results by node id; empty without a complete run_results.json, which is optional."""
    try:
        results = json.loads(file.read_bytes())["results"]
        return {str(result["unique_id"]): _outcome(result) for result in results}
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
    ends = [str(step["completed_at"]) for step in timing if step.get("completed_at")]
    if not ends:
        return None
    return int(datetime.fromisoformat(max(ends).replace("Z", "+00:00")).timestamp() * 1000)
