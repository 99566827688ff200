"""Short deterministic names for the relations of one query."""

from __future__ import annotations


class Names:
    """Hands out each name once: `orders`, `orders_2`, `orders_3`. Order of asking is order of numbers."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name.lower() in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name.lower())
        return name
