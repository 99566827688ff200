from dbt.adapters.base.plugin import AdapterPlugin

from dbt.adapters.trickle.connections import TrickleConnectionManager
from dbt.adapters.trickle.credentials import TrickleCredentials
from dbt.adapters.trickle.impl import TrickleAdapter
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.include import trickle

Plugin = AdapterPlugin(
    adapter=TrickleAdapter,  # type: ignore[arg-type]
    credentials=TrickleCredentials,
    include_path=trickle.PACKAGE_PATH,
    dependencies=["spark"],
)

__all__ = ["Plugin", "TrickleAdapter", "TrickleConnectionManager", "TrickleCredentials", "TrickleRelation"]
