"""The keys of a profile: their names, the values each allows, and the error message for an invalid value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from dbt.adapters.trickle.profile.spark_settings import settings_fault
from dbt.adapters.trickle.warehouses.embedded.machine import heap_bytes
from dbt.adapters.trickle.warehouses.methods import method_named

WHEN_BUSY = ("skip", "wait")
"""How stream tables behave while another run of dbt uses the warehouse."""

NETWORK_KEYS = frozenset(
    """
    host port driver cluster endpoint token user password auth kerberos_service_name organization
    connection_string_suffix connect_retries connect_timeout use_ssl retry_all query_timeout poll_interval query_retries
    """.split()
)
"""dbt-spark's keys for a Spark that is reached over a network."""

SMALLEST_HEAP = 512 * 1024**2
"""Spark itself refuses to start with less than 450 MB."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/|file:")
_SCHEMA = re.compile(r"[A-Za-z0-9_]+")
_NOT_IN_JAVA = ("posix/", "right/", "localtime", "posixrules", "Factory")

Fault = str | None


def first_fault(given: Mapping[str, Any]) -> Fault:
    """The first error in a profile's output, as one sentence; None if there is none."""
    unknown = unknown_key(given)
    if unknown is not None:
        return unknown
    for key, check in CHECKS.items():
        if key in given and (fault := check(given[key])) is not None:
            return fault
    return None


def unknown_key(given: Iterable[str]) -> Fault:
    """An error for the first unknown key, with the nearest known one."""
    for key in given:
        if key in ALLOWED:
            continue
        allowed = f"allowed are {', '.join(key for key in ALLOWED if key != 'database')}."
        if key in NETWORK_KEYS:
            return (
                f"The profile's key `{key}` is for a Spark that is reached over a network, and dbt-trickle runs Spark "
                f"inside the dbt process: leave it out; {allowed}"
            )
        near = get_close_matches(str(key).lower(), ALLOWED, n=1, cutoff=0.5)
        meant = f" (did you mean `{near[0]}`?)" if near else ""
        return f"The profile's key `{key}` is not known{meant}: {allowed}"
    return None


def _method(value: Any) -> Fault:
    if method_named(value) is not None:
        return None
    return _wrong(
        "method",
        value,
        "dbt-trickle runs Spark inside the dbt process; leave `method` out or write `embedded` (thrift, http, odbc and "
        "Spark Connect are not supported yet)",
    )


def _schema(value: Any) -> Fault:
    if value is None or value == "":
        return "The profile has no `schema`: name the schema dbt builds into, for example `schema: shop`."
    if not isinstance(value, str):
        return _wrong("schema", value, f"write a name, in quotes: `schema: '{value}'`")
    if not _SCHEMA.fullmatch(value):
        return _wrong("schema", value, "Spark allows letters from a to z, digits and underscores")
    return None


def warehouse_fault(value: Any) -> Fault:
    """An error unless the warehouse is a folder of this machine."""
    if not isinstance(value, str) or not value.strip() or "\0" in value or "\n" in value:
        return _wrong("warehouse", value, "write the path of a folder, for example `warehouse: warehouse`")
    if _URL.match(value):
        scheme, _, rest = value.partition(":")
        if scheme.lower() == "file":
            return _wrong("warehouse", value, f"write the path without `file:`: `warehouse: /{rest.lstrip('/')}`")
        remedy = "the embedded warehouse is a folder of this machine; write a path, relative to the project or absolute"
        return _wrong("warehouse", value, remedy)
    return None


def anchored(root: Path, warehouse: str) -> tuple[str, Fault]:
    """The warehouse as an absolute path; a relative path is resolved from the project's folder."""
    try:
        folder = (root / Path(warehouse).expanduser()).resolve()
    except RuntimeError:
        return warehouse, _wrong("warehouse", warehouse, "there is no such user; write a path without `~`")
    if root.resolve().is_relative_to(folder):
        return str(folder), _wrong("warehouse", warehouse, "it contains the project; name a folder of its own")
    return str(folder), None


def time_zone_fault(value: Any) -> Fault:
    """An error unless Python and Java both know the time zone."""
    try:
        known = isinstance(value, str) and bool(ZoneInfo(value)) and not value.startswith(_NOT_IN_JAVA)
    except (KeyError, ValueError, OSError):
        known = False
    if known:
        return None
    names = sorted(name for name in available_timezones() if not name.startswith(_NOT_IN_JAVA))
    near = get_close_matches(str(value).lower(), [name.lower() for name in names], n=1, cutoff=0.7)
    meant = next((name for name in names if near and name.lower() == near[0]), None)
    hint = f"did you mean {meant}?" if meant else "use a name such as UTC or Europe/Berlin"
    return _wrong("time_zone", value, f"it is not a known time zone; {hint}")


def _lock_timeout(value: Any) -> Fault:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and math.isfinite(value) and value >= 0:
        return None
    return _wrong("lock_timeout", value, "write seconds, 0 to not wait at all, for example `lock_timeout: 60`")


def _when_busy(value: Any) -> Fault:
    if value in WHEN_BUSY:
        return None
    near = get_close_matches(str(value).lower(), WHEN_BUSY, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return _wrong(
        "when_busy",
        value,
        "write `skip` to skip stream tables while another run uses the warehouse, or `wait` to wait `lock_timeout` "
        f"seconds for it{hint}",
    )


def _driver_memory(value: Any) -> Fault:
    if value is None:
        return None
    size = heap_bytes(value) if isinstance(value, str) else None
    if size is None:
        return _wrong("driver_memory", value, "write a size with its unit, for example `512m` or `4g`")
    if size < SMALLEST_HEAP:
        return _wrong("driver_memory", value, "Spark does not start with less than `512m`")
    return None


def _cores(value: Any) -> Fault:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return None
    return _wrong(
        "cores", value, "write a number from 1 on, or leave it out to use all cores that this process may use"
    )


def _database(value: Any) -> Fault:
    if value is None or isinstance(value, str):
        return None
    return _wrong("database", value, "Spark knows only `schema`; leave `database` out")


def _wrong(key: str, value: Any, remedy: str) -> str:
    shown = "" if value is None else f" {str(value).lower() if isinstance(value, bool) else value}"
    ending = "" if remedy.endswith("?") else "."
    return f"The profile's `{key}:{shown}` cannot be used: {remedy}{ending}"


CHECKS: Mapping[str, Callable[[Any], Fault]] = {
    "schema": _schema,
    "warehouse": warehouse_fault,
    "time_zone": time_zone_fault,
    "lock_timeout": _lock_timeout,
    "when_busy": _when_busy,
    "driver_memory": _driver_memory,
    "cores": _cores,
    "server_side_parameters": settings_fault,
    "method": _method,
    "database": _database,
}

ALLOWED = ("type", *(key for key in CHECKS if key != "database"), "threads", "database")
