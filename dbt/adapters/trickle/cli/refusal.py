"""Errors that keep a command from starting: one sentence, with file and line if a file is at fault."""

from __future__ import annotations

from pathlib import Path
from typing import Optional


class Refusal(Exception):
    """The command's arguments are wrong, or a file cannot be read or understood."""


def at(file: Path | str, message: str, line: Optional[int] = None) -> Refusal:
    """A refusal that names a file, and a line of it."""
    position = f"{file}:{line}" if line is not None else str(file)
    return Refusal(f"{position}: {message}")


def read_text(file: Path) -> str:
    """The file's text; raises a refusal if it cannot be read."""
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise at(file, "the file is not UTF-8 text") from error
    except OSError as error:
        raise at(file, f"the file cannot be read ({error.strerror or error})") from error
