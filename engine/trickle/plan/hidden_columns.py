"""The hidden columns of a storage table: what is stored beside the columns users see."""

from __future__ import annotations

HIDDEN = "__trickle_"
"""How every hidden column's name begins."""
COUNT = f"{HIDDEN}count"
"""How often users see the row. Every layout stores it, and readers of a stream table take it for the row's weight."""
ROWS = f"{HIDDEN}rows"
"""How many input rows a stored row stands for."""
KIND = f"{HIDDEN}kind"
"""Which of several relations a stored group belongs to: SHOWN, or the number of a recursion inside the view."""
SHOWN = 0
TWIN = f"{HIDDEN}twin"
"""The number of a row among its equals, counted from one."""
KNOWN = f"{HIDDEN}known"
"""What is known of the input's rows beyond the stored ones, the same in every row:

WHOLE       there are no others
PREFIX      every row of the input that comes before the last stored one is stored; others come after
EXHAUSTED   too many rows tie at the end of what is stored: the next change reads the input again
"""
WHOLE, PREFIX, EXHAUSTED = 2, 1, 0
