"""The table that a statement changes, and the kind of commit that Delta would record."""

from __future__ import annotations

import re
from typing import Optional

from sqlglot import exp

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.verify.duck_tables import Commit

_RESTORE = re.compile(r"RESTORE\s+(?:TABLE\s+)?(\S+)\s+TO\s+VERSION\s+AS\s+OF\s+(\d+)", re.IGNORECASE)
_MAINTENANCE = ("OPTIMIZE", "VACUUM")


def restored(statement: str) -> Optional[tuple[str, int]]:
    """RESTORE TABLE name TO VERSION AS OF n, which sqlglot does not read."""
    match = _RESTORE.fullmatch(statement.strip())
    return None if match is None else (match[1].strip("`").lower(), int(match[2]))


def kind_of(tree: exp.Expr) -> Commit:
    """The kind of commit a statement makes."""
    match tree:
        case exp.Insert():
            return Commit.CHANGE if tree.args.get("overwrite") else Commit.APPEND
        case exp.Update() | exp.Delete() | exp.Merge() | exp.TruncateTable():
            return Commit.CHANGE
        case exp.Create() if tree.kind == "TABLE" and tree.args.get("replace"):
            return Commit.REPLACE
        case exp.Command() if str(tree.this).upper() in _MAINTENANCE:
            return Commit.MAINTENANCE
        case _:
            raise Refusal(
                f"a step cannot contain {type(tree).__name__.upper()}: write a change of rows, OPTIMIZE or VACUUM"
            )


def target_of(tree: exp.Expr, statement: str) -> str:
    """The name of the table that a statement changes."""
    if isinstance(tree, exp.Command):
        words = statement.split()
        return words[2 if words[1].upper() == "TABLE" else 1].strip("`").lower()
    target = tree.expressions[0] if isinstance(tree, exp.TruncateTable) else tree.find(exp.Table)
    if not isinstance(target, exp.Table):
        raise Refusal(f"no table is named in {statement!r}")
    return target.name.lower()
