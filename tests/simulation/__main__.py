"""`python -m tests.simulation` measures how old rows become; docs/schedules.md shows what it prints."""

from __future__ import annotations

from tests.simulation.lag import lines

if __name__ == "__main__":
    print("\n".join(lines()))
