"""`python -m tests.simulation` measures the lag of rows; docs/schedules.md shows its output."""

from __future__ import annotations

from tests.simulation.lag import lines

if __name__ == "__main__":
    print("\n".join(lines()))
