"""Ratios as an SVG of horizontal bars on a logarithmic axis: what is right of 1 is faster."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

WIDTH, LEFT, RIGHT, TOP, ROW = 640, 60, 50, 44, 16
FASTER, SLOWER, LINE, TEXT = "#2a7f62", "#b4472f", "#c8c8c8", "#444444"
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def bars(title: str, ratios: Mapping[str, float]) -> str:
    """One bar per name, from 1 to its ratio, with the ratio beside it."""
    low, high = _bounds(ratios)

    def x(value: float) -> float:
        share = math.log(value / low) / math.log(high / low)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    height = TOP + ROW * len(ratios) + 8
    parts = [_text(LEFT, 16, title, "start", 13)]
    for tick in (tick for tick in TICKS if low <= tick <= high):
        parts.append(f'<path d="M{x(tick)} {TOP - 6}V{height - 6}" stroke="{LINE}" stroke-width="{1 + (tick == 1)}"/>')
        parts.append(_text(x(tick), TOP - 10, f"{tick:g} ×", "middle"))
    for index, (name, value) in enumerate(ratios.items()):
        y, begin, end = TOP + index * ROW, min(x(1.0), x(value)), max(x(1.0), x(value))
        color = FASTER if value >= 1 else SLOWER
        width = round(end - begin, 1)
        parts.append(f'<rect x="{begin}" y="{y}" width="{width}" height="{ROW - 4}" fill="{color}"/>')
        parts.append(_text(LEFT - 8, y + ROW - 6, name, "end"))
        parts.append(_text(x(high) + 6, y + ROW - 6, f"{value:.2f}", "start"))
    body = "\n".join(parts)
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _bounds(ratios: Mapping[str, float]) -> tuple[float, float]:
    """The ticks around all bars, and around 1."""
    least, most = min((*ratios.values(), 0.5)), max((*ratios.values(), 2.0))
    low = max((tick for tick in TICKS if tick <= least), default=least)
    high = min((tick for tick in TICKS if tick >= most), default=most)
    return low, high


def _text(x: float, y: float, words: str, anchor: str, size: int = 11) -> str:
    return f'<text x="{x}" y="{y}" fill="{TEXT}" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'
