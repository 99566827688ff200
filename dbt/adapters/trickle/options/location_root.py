"""location_root: dbt-spark's key; the parent of the storage's folder."""

from __future__ import annotations

from dbt.adapters.trickle.names import local_folder
from dbt.adapters.trickle.options.key import Key, refusal


def _read(value: object) -> str | None:
    if value is None:
        return None
    folder = local_folder(value) if isinstance(value, str) else None
    if folder is not None:
        return str(folder)
    raise refusal("location_root", value, "an absolute folder of this machine (other file systems come later)")


LOCATION_ROOT = Key("location_root", None, _read, ours=False)
