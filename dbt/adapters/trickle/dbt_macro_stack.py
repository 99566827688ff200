"""dbt lists under an error the macros it came through: those of a package are no help to who wrote the model."""

from __future__ import annotations

from dbt_common.exceptions import DbtRuntimeError

PACKAGES = frozenset({"dbt", "dbt_spark", "dbt_trickle"})


def without_our_macros(failure: BaseException | None) -> None:
    """Leave in the error's list only macros that the project, or a package it installed, has written."""
    if isinstance(failure, DbtRuntimeError):
        failure.stack = [one for one in failure.stack if getattr(one, "package_name", None) not in PACKAGES]
