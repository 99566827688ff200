"""The profile's keys as dbt's credentials, with their defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbt.adapters.spark.connections import SparkCredentials
from dbt_common.dataclass_schema import ValidationError
from dbt_common.exceptions import DbtConfigError

from dbt.adapters.trickle.profile.keys import NETWORK_KEYS, anchored, first_fault
from dbt.adapters.trickle.warehouses.embedded.machine import core_count, heap_for, memory_bytes
from dbt.adapters.trickle.warehouses.methods import EMBEDDED, method_named

SHOWN = ("method", "schema", "warehouse", "time_zone", "lock_timeout", "when_busy", "driver_memory", "cores")
ADDED = (*SHOWN, "server_side_parameters")

PRECISION_LOSS = "spark.sql.decimalOperations.allowPrecisionLoss"
"""Whether decimals may lose digits after the point so that none before it are lost."""


@dataclass
class TrickleCredentials(SparkCredentials):
    """`type: trickle` and `schema: …` are enough; everything else has a default.

    A relative `warehouse` is resolved from the project's folder, wherever dbt was started.
    """

    method: str = EMBEDDED.name  # type: ignore[assignment]
    # Any, because YAML reads `false` as a boolean and `8` as a number.
    server_side_parameters: dict[str, Any] = field(default_factory=dict)
    warehouse: str = "warehouse"
    time_zone: str = "UTC"
    lock_timeout: float = 60.0
    when_busy: str = "skip"
    """How stream tables behave while another run of dbt uses the warehouse."""
    driver_memory: str | None = None
    cores: int | None = None

    @classmethod
    def validate(cls, data: Any) -> None:
        """dbt's check of the profile as written: our error messages come before those of the JSON schema."""
        fault = first_fault({"schema": "", **data})
        if fault is not None:
            raise ValidationError(fault)
        super().validate(_without_empty(data))

    @classmethod
    def __pre_deserialize__(cls, data: Any) -> Any:
        return super().__pre_deserialize__(_without_empty(data))

    def __post_serialize__(self, dct: dict[str, Any], context: dict[str, Any] | None = None) -> dict[str, Any]:
        """The credentials without dbt-spark's network keys."""
        written = super().__post_serialize__(dct, context)
        return {key: value for key, value in written.items() if key not in NETWORK_KEYS}

    def __post_init__(self) -> None:
        """Check the values; dbt-spark's own check is skipped because it forces ANSI mode off."""
        fault = first_fault({key: getattr(self, key) for key in ADDED})
        if fault is not None:
            raise DbtConfigError(fault)
        if self.database is not None and self.database != self.schema:
            raise DbtConfigError(
                f"The profile's `database: {self.database}` differs from `schema: {self.schema}`: "
                "Spark knows only one of the two, so leave `database` out."
            )
        lossless = self.server_side_parameters.get(PRECISION_LOSS)
        if lossless is not None and _spark_value(lossless).lower() != "true":
            raise DbtConfigError(
                f"The profile's server_side_parameters set {PRECISION_LOSS} to {lossless}: averages of decimals "
                "are stored as sums and counts, which are divided by Spark's default rules. Take the setting out."
            )
        method = method_named(self.method)
        assert method is not None, "first_fault refuses every other name"
        self.method = method.name
        self.database = None
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
        """Resolve a relative warehouse folder from the project, so that the current directory does not matter."""
        self.warehouse, fault = anchored(project_root, self.warehouse)
        if fault is not None:
            raise DbtConfigError(fault)

    @property
    def heap(self) -> str:
        """Java's heap size: the profile's, or a share of the machine's memory."""
        return self.driver_memory or heap_for(memory_bytes())

    def connection_info(self, *, with_aliases: bool = False) -> Iterable[tuple[str, Any]]:
        """The values `dbt debug` shows and `target` contains, with defaults resolved."""
        effective = {"driver_memory": self.heap, "cores": self.cores or core_count()}
        for key, value in super().connection_info(with_aliases=with_aliases):
            yield key, effective.get(key, value)

    def _connection_keys(self) -> tuple[str, ...]:
        return SHOWN


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """The data without an empty `server_side_parameters:`, which YAML reads as None."""
    return {key: value for key, value in data.items() if key != "server_side_parameters" or value is not None}


def _spark_value(value: Any) -> str:
    """YAML's true and false as Spark writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)
