"""A small shop, built once and maintained day by day: `make demo`, or this file with the project's Python.

It runs plain dbt on the project in this folder: `dbt run` and `dbt test`, with some INSERT, UPDATE and DELETE on the
shop's tables in between. Run again, it continues with the next days.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from shopkeeper.commands import Failed, Node, Project
from shopkeeper.console import Console
from shopkeeper.days import KINDS, Shop, Statement, date_of, kind_of
from shopkeeper.refreshes import heading, lines, refreshed

FOLDER = Path(__file__).resolve().parent
POSITION = FOLDER / "warehouse" / "shop.json"
RESET_COMMAND = "python integration_tests/demo.py --reset"
START_OVER = (
    Statement("", "drop schema if exists analytics cascade"),
    Statement("", "drop schema if exists shop cascade"),
)


@dataclass(frozen=True)
class Position:
    """The last completed day, and its shop."""

    day: int
    shop: Shop

    def write(self) -> None:
        POSITION.write_text(json.dumps(asdict(self)) + "\n", "utf-8")


def main(words: list[str]) -> int:
    arguments = _arguments(words)
    console = Console()
    try:
        play(console, Project(FOLDER), arguments)
    except Failed as failure:
        console.say(f"\nThe demo stopped: {failure}")
        return 1
    except KeyboardInterrupt:
        console.say("\nStopped. Run it again to continue from here.")
        return 130
    return 0


def play(console: Console, project: Project, arguments: argparse.Namespace) -> None:
    """Run the demo, from the day after the last completed one."""
    console.title("A small shop, maintained by dbt-trickle")
    with console.step("reading the dbt project"):
        project.parse()
    if arguments.reset:
        with console.step("starting Spark, then dropping the old tables"):
            POSITION.unlink(missing_ok=True)
            project.run_statements(START_OVER, lambda _: None)
    position = read_position()
    if position is None:
        position = Position(0, Shop(orders=arguments.orders))
        _open(
            console, project, position.shop, "filling" if arguments.reset else "starting Spark, then filling"
        )
    else:
        console.say(
            f"  The shop is at the end of day {position.day} and continues from there. To start over: {RESET_COMMAND}"
        )
    for day in range(position.day + 1, position.day + 1 + arguments.days):
        _live(console, project, position.shop, day)
    _check(console, project)
    console.say(
        "  In a shop this small recomputing (`in full`, as estimated) is often as cheap as maintaining. These models"
    )
    console.say("  insist with `refresh_mode: incremental`; the default, auto, takes the cheaper.")
    console.say(f"  Run it again for the next days, or start over with: {RESET_COMMAND}")


def _open(console: Console, project: Project, shop: Shop, verb: str) -> None:
    console.title(f"Opening: five source tables with {shop.rows:,} rows, then `dbt run` builds everything")
    _change(console, project, shop.opening(), verb)
    _run(console, project)
    Position(0, shop).write()


def _live(console: Console, project: Project, shop: Shop, day: int) -> None:
    console.title(f"Day {day}, {date_of(day):%A %d %B}: {kind_of(day).story}")
    _change(console, project, shop.day(day), "changing")
    _run(console, project)
    Position(day, shop).write()


def _change(console: Console, project: Project, statements: tuple[Statement, ...], verb: str) -> None:
    if not statements:
        return
    with console.step(verb) as step:
        project.run_statements(statements, step.part)


def _run(console: Console, project: Project) -> None:
    """`dbt run`, with a line for each stream table when it is done."""
    console.say(heading())

    def show(node: Node) -> None:
        if node["materialized"] == "stream_table" and node["status"] == "success":
            first, *others = lines(refreshed(node))
            console.say(first)
            for other in others:
                console.dim(other)

    project.run(show)


def _check(console: Console, project: Project) -> None:
    """`dbt test`: every stream table against its own SELECT, and the ordinary tests."""
    console.title("`dbt test`: does every stream table equal its SELECT, row for row?")
    passed: list[str] = []
    with console.step("testing") as step:

        def count(node: Node) -> None:
            if node["status"] == "pass":
                passed.append(node["name"])
            step.dot()

        project.test(count)
    exact = sum(name.startswith("stream_table_exact") for name in passed)
    console.say(f"  {exact} stream tables are exact, and {len(passed) - exact} ordinary tests passed.")


def read_position() -> Position | None:
    """The last completed day of the shop, or None if there is no shop yet."""
    if not POSITION.exists():
        return None
    saved = json.loads(POSITION.read_text("utf-8"))
    return Position(saved["day"], Shop(**saved["shop"]))


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A small shop, built once and maintained day by day.")
    parser.add_argument(
        "--days", type=int, default=len(KINDS), help="how many days to play (default: %(default)s)"
    )
    parser.add_argument("--reset", action="store_true", help="drop everything and start over")
    parser.add_argument(
        "--orders", type=int, default=Shop.orders, help="orders in a new shop (default: %(default)s)"
    )
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
