"""The profile: what a user may say about the warehouse, and what holds when nothing is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dbt.adapters.spark.connections import SparkConnectionMethod, SparkCredentials
from dbt_common.exceptions import DbtConfigError

NOT_YET = "thrift, http, odbc and Spark Connect are coming; until then leave `method` out or say `session`"


@dataclass
class TrickleCredentials(SparkCredentials):
    """`type: trickle` and `schema: …` are enough; everything else has a default.

    A relative `warehouse` lies in the project's folder, wherever dbt was started from.
    """

    method: str = "session"  # type: ignore[assignment]
    host: str | None = "embedded"
    # Any, because YAML reads `false` and `8` as what they are.
    server_side_parameters: dict[str, Any] = field(default_factory=dict)
    warehouse: str = "warehouse"
    time_zone: str = "UTC"
    lock_timeout: float = 60.0
    driver_memory: str | None = None
    cores: int | None = None

    @classmethod
    def __pre_deserialize__(cls, data: Any) -> Any:
        data = super().__pre_deserialize__(data)
        method = data.get("method", "session")
        if method != SparkConnectionMethod.SESSION:
            raise DbtConfigError(f"The profile's `method: {method}` is not supported by dbt-trickle: {NOT_YET}.")
        return data

    def __post_init__(self) -> None:
        """Check what was given; dbt-spark's own check is left out because it forces ANSI mode off."""
        if self.method != SparkConnectionMethod.SESSION:
            raise DbtConfigError(f"The profile's `method: {self.method}` is not supported by dbt-trickle: {NOT_YET}.")
        if not self.schema:
            raise DbtConfigError("The profile has no `schema`: say where dbt shall build, for example `schema: shop`.")
        if self.database is not None and self.database != self.schema:
            raise DbtConfigError(
                f"The profile's `database: {self.database}` differs from `schema: {self.schema}`: "
                "Spark knows only one of the two, so leave `database` out."
            )
        self.database = None
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError) as unknown:
            raise DbtConfigError(
                f"The profile's `time_zone: {self.time_zone}` is not a known time zone: "
                "use a name such as UTC or Europe/Berlin."
            ) from unknown
        self.server_side_parameters = {
            str(key): _spark_value(value) for key, value in self.server_side_parameters.items()
        }

    @property
    def type(self) -> str:
        return "trickle"

    @property
    def unique_field(self) -> str:
        return self.warehouse

    def anchor(self, project_root: Path) -> None:
        """Fix a relative warehouse folder to the project, so that the current directory plays no part."""
        self.warehouse = str((project_root / Path(self.warehouse).expanduser()).resolve())

    def _connection_keys(self) -> tuple[str, ...]:
        return ("method", "schema", "warehouse", "time_zone", "lock_timeout", "driver_memory", "cores")


def _spark_value(value: Any) -> str:
    """YAML's true and false as Spark writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)
