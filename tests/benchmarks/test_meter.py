"""CPU time is read from the kernel's statistics of a process."""

from __future__ import annotations

from benchmarks.meter import cpu_seconds

STAT = "4711 (java) S 1 4711 4711 0 -1 4194560 1 0 0 0 {user} {system} 99 98 20 0 52 0 87318 0 0"


def test_user_and_system_time_count() -> None:
    """CPU is user time and system time together, in seconds; the children's times after them do not count."""
    assert cpu_seconds(STAT.format(user=250, system=50), ticks=100) == 3.0


def test_the_name_of_a_process_may_have_any_characters() -> None:
    """Spaces and parentheses in the name do not shift the fields."""
    line = STAT.replace("(java)", "(a (b) c 1 2)").format(user=100, system=0)

    assert cpu_seconds(line, ticks=100) == 1.0
