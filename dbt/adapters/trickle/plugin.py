"""The plugin object that dbt loads."""

from __future__ import annotations

from dbt.adapters.base.plugin import AdapterPlugin

from dbt.adapters.trickle.impl import TrickleAdapter
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.include import trickle

Plugin = AdapterPlugin(
    adapter=TrickleAdapter,  # type: ignore[arg-type]
    credentials=TrickleCredentials,
    include_path=trickle.PACKAGE_PATH,
    dependencies=["spark"],
)
