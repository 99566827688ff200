"""location_root: dbt-spark's key; the folder in which the storage's own folder lies."""

from __future__ import annotations

from dbt.adapters.trickle.options.key import Key, refusal


def _read(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and value.removeprefix("file:").startswith("/"):
        return "/" + value.removeprefix("file:").strip("/")
    raise refusal("location_root", value, "an absolute folder of this machine (other file systems come later)")


LOCATION_ROOT = Key("location_root", None, _read, ours=False)
