"""What the commands that look at a dbt project have in common: their options, and their answer to a wrong one."""

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
    parser.add_argument("--project-dir", type=Path, metavar="FOLDER", help="where dbt_project.yml is")
    parser.add_argument("--profiles-dir", type=Path, metavar="FOLDER", help="where profiles.yml is")
    parser.add_argument("--target", metavar="NAME", help="the profile's target")


def add_format_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="for people, or for programs")


def opened_project(given: argparse.Namespace) -> Project:
    """The project as dbt compiled it last."""
    from dbt.adapters.trickle.project import ProjectError, load_project

    try:
        return load_project(given.project_dir, given.profiles_dir, given.target)
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong


def current_project(given: argparse.Namespace) -> Project:
    """The project as its files are now: dbt parses it first when they are newer than what it wrote last."""
    from dbt.adapters.trickle.project import ProjectError
    from dbt.adapters.trickle.project.load import is_current

    try:
        current = is_current(given.project_dir)
    except ProjectError as wrong:
        raise Refusal(str(wrong)) from wrong
    if not current:
        parsed_anew(given)
    return opened_project(given)


def warn(sentence: str) -> None:
    sys.stderr.write(f"dbt-trickle: {sentence}\n")


def parsed_anew(given: argparse.Namespace) -> None:
    """dbt takes seconds to import, and is needed only after an edit."""
    from dbt.cli.main import dbtRunner

    words = {"--project-dir": given.project_dir, "--profiles-dir": given.profiles_dir, "--target": given.target}
    options = [word for name, value in words.items() if value is not None for word in (name, str(value))]
    parsed = dbtRunner().invoke(["--quiet", "--log-level", "none", "parse", *options])
    if not parsed.success:
        raise Refusal(f"dbt cannot parse the project: {parsed.exception}")


def window() -> Optional[int]:
    """Places in a line: the terminal's, COLUMNS, or as many as are wanted when nobody looks."""
    width = shutil.get_terminal_size((0, 0)).columns
    return width or None


def now() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def say_json(content: Any) -> None:
    say(json.dumps(content, indent=2, ensure_ascii=False))
