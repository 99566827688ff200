"""The Memory port without files: its content ends with the test."""

from __future__ import annotations

from dataclasses import dataclass, field

from dbt.adapters.trickle.ports import NOT_SUSPENDED, Memory, QuietRefresh, Suspension

Key = tuple[str, str]


@dataclass
class MemoryWithoutFiles:
    checks: dict[Key, QuietRefresh] = field(default_factory=dict)
    suspensions: dict[Key, Suspension] = field(default_factory=dict)

    def quiet_refresh(self, schema: str, name: str) -> QuietRefresh | None:
        return self.checks.get(_key(schema, name))

    def write_quiet_refresh(self, schema: str, name: str, check: QuietRefresh) -> None:
        self.checks[_key(schema, name)] = check

    def suspension(self, schema: str, name: str) -> Suspension:
        return self.suspensions.get(_key(schema, name), NOT_SUSPENDED)

    def write_suspension(self, schema: str, name: str, suspension: Suspension) -> None:
        self.suspensions[_key(schema, name)] = suspension


def _key(schema: str, name: str) -> Key:
    return schema.lower(), name.lower()


_IS_A_MEMORY: type[Memory] = MemoryWithoutFiles
