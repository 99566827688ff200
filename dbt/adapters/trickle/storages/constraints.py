"""The constraints of a contract: which the storage enforces, and by which CHECK."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.names import quoted
from dbt.adapters.trickle.storages.facade import fingerprint
from trickle.plan.names import stored_name

ENFORCED = ("check", "not_null")
"""The kinds of constraints that a storage enforces."""


@dataclass(frozen=True)
class CheckConstraint:
    """A constraint that the storage enforces."""

    name: str
    expression: str
    columns: tuple[str, ...] = field(default=(), compare=False)
    """The columns of the constraint, by their names in the storage."""
    named: bool = field(default=False, compare=False)
    """Whether the user gave the name."""


def checks_of(model: Mapping[str, Any]) -> tuple[CheckConstraint, ...]:
    """The CHECK and NOT NULL constraints of an enforced contract, each once, under unique names."""
    by_name: dict[str, CheckConstraint] = {}
    for check in (check for check in map(_check, *_constraints(model)) if check is not None):
        unique = check
        if not check.named and check.name.lower() in by_name and by_name[check.name.lower()] != check:
            unique = replace(check, name=f"{check.name}_{fingerprint(check.expression)}")
        known = by_name.setdefault(unique.name.lower(), unique)
        if known.expression != unique.expression:
            raise CompilationError(
                f"Two constraints of the model are called {unique.name}: `{known.expression}` and "
                f"`{unique.expression}`. Give one of them another `name`."
            )
    return tuple(by_name.values())


def unenforced(model: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each constraint of an enforced contract that the storage does not enforce."""
    sentences = []
    for constraint, column in zip(*_constraints(model)):
        kind = _kind(constraint)
        silent = False in (constraint.get("warn_unsupported"), constraint.get("warn_unenforced"))
        if kind not in ENFORCED and not silent:
            names = [column] if column else constraint.get("columns") or ()
            where = f" on {', '.join(names)}" if names else ""
            sentences.append(
                f"The {kind} constraint{where} is not enforced: Delta enforces `not_null` and `check`; "
                "use a data test for the others."
            )
    return tuple(sentences)


def _constraints(model: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[str | None]]:
    """The constraints of an enforced contract, and the column of each; None for those on the model."""
    if not (model["config"].get("contract") or {}).get("enforced"):
        return [], []
    pairs: list[tuple[Mapping[str, Any], str | None]] = [
        (constraint, None) for constraint in model.get("constraints") or ()
    ]
    for name, column in model["columns"].items():
        pairs += [(constraint, str(name)) for constraint in column.get("constraints") or ()]
    return [constraint for constraint, _ in pairs], [column for _, column in pairs]


def constraints_fingerprint(checks: Sequence[CheckConstraint]) -> str:
    """A fingerprint of the constraints; '' if there are none."""
    if not checks:
        return ""
    return fingerprint([(check.name, check.expression) for check in checks])


def _check(constraint: Mapping[str, Any], column: str | None) -> CheckConstraint | None:
    columns = [column] if column is not None else list(constraint.get("columns") or ())
    stored: tuple[str, ...] = ()
    match _kind(constraint):
        case "check":
            expression = str(constraint["expression"])
            name = f"check_{fingerprint([expression, *columns])}"
        case "not_null":
            stored = tuple(stored_name(name) for name in columns)
            expression = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in stored)
            name = f"not_null_{'_'.join(stored)}"
        case _:
            return None
    given = constraint.get("name")
    return CheckConstraint(str(given or name), expression, stored, bool(given))


def _kind(constraint: Mapping[str, Any]) -> str:
    return str(getattr(constraint["type"], "value", constraint["type"]))
