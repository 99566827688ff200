"""What the command line says when it cannot start: one sentence, and the place when a file is at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Optional


class Refusal(Exception):
    """The command was called wrongly, or a file it was given cannot be understood."""


def at(file: Path | str, message: str, line: Optional[int] = None) -> Refusal:
    """A refusal that points into a file."""
    place = f"{file}:{line}" if line is not None else str(file)
    return Refusal(f"{place}: {message}")


def read_text(file: Path) -> str:
    """The file's text, or a refusal that says why there is none."""
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise at(file, "the file is not UTF-8 text") from error
    except OSError as error:
        raise at(file, f"the file cannot be read ({error.strerror or error})") from error
