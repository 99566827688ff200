"""dbt's entry point: the plugin, imported on first use.

Reading a Delta log must not cost the second that importing dbt and dbt-spark takes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbt.adapters.trickle.connections import TrickleConnectionManager
    from dbt.adapters.trickle.impl import TrickleAdapter
    from dbt.adapters.trickle.plugin import Plugin
    from dbt.adapters.trickle.profile.credentials import TrickleCredentials
    from dbt.adapters.trickle.relation import TrickleRelation

_MODULES = {
    "Plugin": "plugin",
    "TrickleAdapter": "impl",
    "TrickleConnectionManager": "connections",
    "TrickleCredentials": "credentials",
    "TrickleRelation": "relation",
}

__all__ = ["Plugin", "TrickleAdapter", "TrickleConnectionManager", "TrickleCredentials", "TrickleRelation"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
