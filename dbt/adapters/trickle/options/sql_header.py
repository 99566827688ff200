"""sql_header: dbt's key, refused. Rows of one refresh under other settings than those of the next would be wrong."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key


def _read(value: object) -> None:
    if value:
        raise CompilationError(
            "`sql_header` is not run for a stream table: put settings into the profile's `server_side_parameters`, "
            "and anything else into a `pre_hook`."
        )


SQL_HEADER = Key("sql_header", None, _read, ours=False)
