"""Sentences below a table."""

from __future__ import annotations

import textwrap

WIDEST = 120
"""Longer lines are hard to read, however wide the terminal is."""


def indented(name: str, sentence: str, width: int | None) -> str:
    """`  name: sentence`, with the following lines indented."""
    return textwrap.fill(
        f"{name}: {' '.join(sentence.split())}",
        min(width or WIDEST, WIDEST),
        initial_indent="  ",
        subsequent_indent="      ",
        break_long_words=False,
        break_on_hyphens=False,
    )
