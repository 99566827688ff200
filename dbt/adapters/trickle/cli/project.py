"""The options of the commands that read a dbt project, the project they name, and their output."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from dbt.adapters.trickle.cli.refusal import Refusal

if TYPE_CHECKING:
    from dbt.adapters.trickle.project import Project


def add_project_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project-dir", type=Path, metavar="FOLDER", help="the folder of dbt_project.yml")
    parser.add_argument("--profiles-dir", type=Path, metavar="FOLDER", help="the folder of profiles.yml")
    parser.add_argument("--target", metavar="NAME", help="the profile's target")


def add_wait_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wait",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="how long to wait for a warehouse in use (default: 0)",
    )


def add_format_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def opened_project(given: argparse.Namespace) -> Project:
    """The project as dbt compiled it last."""
    from dbt.adapters.trickle.project import ProjectError, load_project

    try:
        return load_project(given.project_dir, given.profiles_dir, given.target)
    except ProjectError as failure:
        raise Refusal(str(failure)) from failure


def current_project(given: argparse.Namespace) -> Project:
    """The project as its files are now: dbt parses it first if they are newer than its manifest."""
    from dbt.adapters.trickle.project import ProjectError
    from dbt.adapters.trickle.project.load import is_current

    try:
        current = is_current(given.project_dir)
    except ProjectError as failure:
        raise Refusal(str(failure)) from failure
    if not current:
        parse_project(given)
    return opened_project(given)


def warn(sentence: str) -> None:
    sys.stderr.write(f"dbt-trickle: {sentence}\n")


def parse_project(given: argparse.Namespace) -> None:
    """Have dbt parse the project. dbt takes seconds to import, and is needed only after an edit."""
    from dbt.cli.main import dbtRunner

    words = {"--project-dir": given.project_dir, "--profiles-dir": given.profiles_dir, "--target": given.target}
    options = [word for name, value in words.items() if value is not None for word in (name, str(value))]
    parsed = dbtRunner().invoke(["--quiet", "--log-level", "none", "parse", *options])
    if not parsed.success:
        raise Refusal(f"dbt cannot parse the project: {parsed.exception}")


def line_width() -> Optional[int]:
    """Characters per line: the terminal's or COLUMNS; None, without a limit, if there is no terminal."""
    width = shutil.get_terminal_size((0, 0)).columns
    return width or None


def now() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000


def print_text(text: str) -> None:
    sys.stdout.write(text + "\n")


def print_json(content: Any) -> None:
    print_text(json.dumps(content, indent=2, ensure_ascii=False))
