"""unique_key: refused. Rows without a key are kept exact by counting them."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key, columns

_columns = columns("unique_key")


def _read(value: object) -> None:
    if value is not None:
        raise CompilationError(
            f"`unique_key: {', '.join(_columns(value))}` is not yet supported; leave it out: a stream table needs no "
            "key, rows without one are kept exact by counting them."
        )


UNIQUE_KEY = Key("unique_key", None, _read)
