"""grants: dbt's key, refused for any model: dbt would grant after the rows are written, and Spark has no users."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key


def refuse_grants(value: object) -> None:
    if value:
        raise CompilationError(
            "`grants` cannot be applied: the embedded Spark has no users and no GRANT. Remove them, or set them for "
            "other targets only: `grants: \"{{ {} if target.type == 'trickle' else {'select': ['bi']} }}\"`."
        )


GRANTS = Key("grants", None, refuse_grants, ours=False)
