"""dbt lists the macro stack of an error; macros of dbt and its adapters do not help the author of the model."""

from __future__ import annotations

from dbt_common.exceptions import DbtRuntimeError

PACKAGES = frozenset({"dbt", "dbt_spark", "dbt_trickle"})


def without_our_macros(failure: BaseException | None) -> None:
    """Reduce the error's macro stack to macros of the project and of the packages it installed."""
    if isinstance(failure, DbtRuntimeError):
        failure.stack = [macro for macro in failure.stack if getattr(macro, "package_name", None) not in PACKAGES]
