"""The bytes of each column in a Parquet file, read from its footer.

The footer is a Thrift struct in the compact protocol. Numbers, strings, lists and structs by field number are parsed
here; the sizes need no more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

MAGIC = b"PAR1"
TAIL = 8
# Field numbers of parquet.thrift.
ROW_GROUPS, COLUMNS, COLUMN_DATA, PATH, COMPRESSED_SIZE = 4, 1, 3, 3, 7

Struct = dict[int, Any]


class NotParquet(Exception):
    """The file is not a Parquet file, or is truncated."""


def column_bytes(file: Path) -> dict[str, int]:
    """Top-level column → compressed bytes, over all row groups."""
    footer = _footer(file)
    sizes: dict[str, int] = {}
    for group in footer.get(ROW_GROUPS, ()):
        for chunk in group[COLUMNS]:
            metadata = chunk[COLUMN_DATA]
            name = metadata[PATH][0].decode("utf-8")
            sizes[name] = sizes.get(name, 0) + int(metadata[COMPRESSED_SIZE])
    return sizes


def _footer(file: Path) -> Struct:
    with file.open("rb") as content:
        content.seek(0, 2)
        end = content.tell()
        if end < TAIL + len(MAGIC):
            raise NotParquet(str(file))
        content.seek(end - TAIL)
        tail = content.read(TAIL)
        length = int.from_bytes(tail[:4], "little")
        if tail[4:] != MAGIC or length > end - TAIL:
            raise NotParquet(str(file))
        content.seek(end - TAIL - length)
        return _Reader(content.read(length)).struct()


class _Reader:
    """Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while True:
            header = self._byte()
            if header == 0:
                return fields
            kind, step = header & 0x0F, header >> 4
            number = number + step if step else _signed(self._varint())
            # The value of a boolean field is its type.
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind)

    def _value(self, kind: int) -> Any:
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return _signed(self._varint())
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._varint())
            case 9 | 10:
                header = self._byte()
                size = header >> 4
                return [self._value(header & 0x0F) for _ in range(self._varint() if size == 15 else size)]
            case 12:
                return self.struct()
            case _:
                raise NotParquet(f"Thrift type {kind}")

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, count: int) -> bytes:
        taken = self._data[self._at : self._at + count]
        if len(taken) < count:
            raise NotParquet("the footer is truncated")
        self._at += count
        return taken

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7


def _signed(zigzag: int) -> int:
    return (zigzag >> 1) ^ -(zigzag & 1)
