"""Files of which rows are hidden are read without Delta: which rows, at a version and of a change."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pyroaring import BitMap64

from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.positions import meant, positions
from dbt.adapters.trickle.history.delta_files.probe import probe
from dbt.adapters.trickle.history.delta_files.readable_files import (
    FEW_PARTS,
    MANY_PARTS,
    MANY_POSITIONS,
    readable_files,
)
from dbt.adapters.trickle.history.table_history import LogUnreadable
from tests.adapter.log_builder import LogBuilder, metadata, remove
from trickle import Probe, SourcePosition
from trickle.catalog.happened import Unchanged
from trickle.catalog.source_files import DataFiles, FileRows, Positions, SourceFiles

MAGIC = (1681511377).to_bytes(4, "little")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
ROWS = 100


def in_base85(content: bytes) -> str:
    padded = content + bytes(-len(content) % 4)
    numbers = (int.from_bytes(padded[start : start + 4], "big") for start in range(0, len(padded), 4))
    return "".join(DIGITS[number // 85**power % 85] for number in numbers for power in range(4, -1, -1))


def vector(table: LogBuilder, hidden: Iterable[int], inline: bool = False) -> dict[str, Any]:
    """A deletion vector as Delta writes it, in a file of its own or in the log, and how the log describes it."""
    bits = BitMap64(hidden)
    content = MAGIC + bits.serialize()
    described: dict[str, Any] = {"cardinality": len(bits), "sizeInBytes": len(content)}
    if inline:
        return {**described, "storageType": "i", "pathOrInlineDv": in_base85(content)}
    name = UUID(int=zlib.crc32(content))
    stored = b"\x01" + len(content).to_bytes(4, "big") + content + zlib.crc32(content).to_bytes(4, "big")
    table.path.mkdir(parents=True, exist_ok=True)
    (table.path / f"deletion_vector_{name}.bin").write_bytes(stored)
    return {**described, "storageType": "u", "pathOrInlineDv": in_base85(name.bytes), "offset": 1}


def hidden(action: dict[str, Any], described: dict[str, Any] | None) -> dict[str, Any]:
    ((_, body),) = action.items()
    if described is not None:
        body["deletionVector"] = described
    return action


def hide(
    table: LogBuilder, new: dict[str, Any] | None, old: dict[str, Any] | None = None, name: str = "f1"
) -> LogBuilder:
    """A commit after which a file has another deletion vector."""
    return table.commit("DELETE", hidden(remove(name, ROWS), old), hidden(table.add(name, ROWS), new))


@pytest.fixture
def table(tmp_path: Path) -> LogBuilder:
    return LogBuilder(tmp_path / "t").create().append("f1", ROWS)


def position(table: LogBuilder) -> SourcePosition:
    return SourcePosition("one", table.version, table.clock)


def found(table: LogBuilder, before: SourcePosition) -> SourceFiles:
    log = DeltaLog(table.path)
    return readable_files(log, probe(log, "s.t", before))


Part = tuple[str, bool, list[int], int]


def parts(files: DataFiles | None) -> list[Part]:
    """Of each part its file, whether these rows are meant or all others, which, and their weight."""
    assert files is not None
    return [(Path(part.path).name, *shown(part), part.weight) for part in files.parts]


def shown(part: FileRows) -> tuple[bool, list[int]]:
    these, bits = meant(part)
    return these, list(bits)


@pytest.mark.parametrize("inline", [False, True], ids=["in a file", "in the log"])
def test_hidden_rows_are_left_out(table: LogBuilder, inline: bool) -> None:
    """Of a file of its own no row is left out."""
    hide(table, vector(table, [3, 5, 70], inline))
    table.append("f2")
    now = found(table, position(table)).now

    assert now is not None and [Path(path).name for path in now.paths] == ["f2"]
    assert parts(now) == [("f1", False, [3, 5, 70], 1)]
    assert not now.signed


def test_what_a_vector_hides_more_than_the_one_before_went(table: LogBuilder) -> None:
    """Read from the file by its position: no feed is asked."""
    first, second = vector(table, [3, 5]), vector(table, [3, 5, 8, 9])
    unhidden = position(table)
    hide(table, first)
    before = position(table)
    hide(table, second, first)

    assert parts(found(table, before).change) == [("f1", True, [8, 9], -1), ("f1", True, [], 1)]
    assert parts(found(table, before).before) == [("f1", False, [3, 5], 1)]
    assert parts(found(table, unhidden).change) == [
        ("f1", True, [3, 5], -1),
        ("f1", True, [8, 9], -1),
        ("f1", True, [], 1),
    ]


def test_rows_that_are_shown_again_came(table: LogBuilder) -> None:
    """RESTORE takes an older vector, or none."""
    first = vector(table, [3, 5])
    hide(table, first)
    before = position(table)
    hide(table, None, first)
    change = found(table, before).change

    assert parts(change) == [("f1", True, [3, 5], 1)]
    assert change is not None and (change.paths, change.signed) == ((), True)


def test_of_a_file_that_went_hidden_rows_went_before(table: LogBuilder) -> None:
    """Those of another that came hidden did not come."""
    first, other = vector(table, [3]), vector(table, [4])
    hide(table, first)
    before = position(table)
    table.commit("MERGE", hidden(remove("f1", ROWS), first), hidden(table.add("f2", ROWS), other))

    assert parts(found(table, before).change) == [("f2", False, [4], 1), ("f1", False, [3], -1)]


def test_the_files_of_the_feed_say_what_their_commit_did(table: LogBuilder) -> None:
    """An UPDATE hides old rows and adds new ones: its feed has both, and nothing else of the commit is read."""
    before = position(table)
    table.append("f2")
    (table.path / "_change_data").mkdir()
    (table.path / "_change_data" / "c1").write_bytes(b"PAR1")
    feed = {"cdc": {"path": "_change_data/c1", "size": 4, "dataChange": False}}
    hide_one = hidden(table.add("f1", ROWS), vector(table, [1]))
    table.commit("UPDATE", remove("f1", ROWS), hide_one, table.add("f3", 1), feed)
    change = found(table, before).change

    assert change is not None and (change.parts, change.signed) == ((), True)
    assert [Path(path).name for path in change.paths] == ["f2"]
    assert [Path(path).name for path in change.feed] == ["c1"]


def test_compacted_rows_neither_came_nor_went(table: LogBuilder) -> None:
    """Rows of the new file may be hidden afterwards."""
    first, later = vector(table, [3]), vector(table, [7])
    hide(table, first)
    before = position(table)
    table.commit("OPTIMIZE", hidden(remove("f1", ROWS, False), first), table.add("big", ROWS - 1, data_change=False))
    hide(table, later, name="big")

    assert parts(found(table, before).change) == [("big", True, [7], -1)]


def test_too_much_to_read_by_position_is_left_to_delta(table: LogBuilder) -> None:
    """Each file is planned by itself, and every task is given all positions."""
    table.commit("WRITE", *(table.add(f"m{number}", ROWS) for number in range(MANY_PARTS)))
    before = position(table)
    for number in range(MANY_PARTS):
        assert (found(table, before).now is not None) is (number <= FEW_PARTS)
        hide(table, vector(table, [number]), name=f"m{number}")
    assert found(table, before).change is not None
    hide(table, vector(table, [50]))
    assert found(table, before).change is None

    described = {**vector(table, [1]), "cardinality": MANY_POSITIONS + 1}
    large = LogBuilder(table.path.parent / "large").create().append("f1", ROWS)
    hide(large, described)
    assert found(large, position(large)).now is None


def called(folder: Path, name: str) -> tuple[LogBuilder, dict[str, Any]]:
    """A table with a column of this name, and a file to add to it."""
    fields = ((name, "integer"), ("b", "string"))
    table = LogBuilder(folder / "t").commit("CREATE TABLE", metadata(fields=fields))
    action = table.add("f1", ROWS)
    action["add"]["stats"] = f'{{"numRecords": {ROWS}, "nullCount": {{"{name}": 0, "b": 0}}}}'
    return table, action


def test_a_column_in_the_place_of_a_rows_position(tmp_path: Path) -> None:
    """Spark gives both under one name: only Delta knows the rows then."""
    table, action = called(tmp_path, "_metadata")
    table.commit("WRITE", action)
    assert found(table, position(table)).now is not None
    table.commit("DELETE", remove("f1", ROWS), hidden(action, vector(table, [1])))
    assert found(table, position(table)).now is None


def test_a_column_in_the_place_of_a_rows_weight(tmp_path: Path) -> None:
    """What came and went is left to the feed; the rows themselves have no weight."""
    table, action = called(tmp_path, "__Trickle_weight")
    table.commit("WRITE", action)
    before = position(table)
    table.commit("DELETE", remove("f1", ROWS))

    assert found(table, before).change is None
    assert found(table, before).before is not None


def test_a_vector_that_is_gone_is_left_to_delta(table: LogBuilder) -> None:
    """Its message is better than that of a missing path."""
    hide(table, vector(table, [3]))
    for file in table.path.glob("deletion_vector_*"):
        file.unlink()
    log = DeltaLog(table.path)
    seen = SourcePosition("one", log.latest, table.clock)

    assert readable_files(log, Probe("s.t", seen, Unchanged())).now is None
    before = readable_files(log, Probe("s.t", SourcePosition("one", 1, table.clock - 1000), Unchanged())).now
    assert before is not None and [Path(path).name for path in before.paths] == ["f1"]


def stored(table: LogBuilder, harm: bytes | None = None) -> Positions:
    vector(table, [3, 5])
    (file,) = table.path.glob("deletion_vector_*")
    content = bytearray(file.read_bytes())
    if harm is not None:
        content[9 : 9 + len(harm)] = harm
    file.write_bytes(bytes(content))
    return Positions(2, str(file), 1)


def test_a_vector_is_read_whole_or_not_at_all(table: LogBuilder) -> None:
    """One wrong bit would hide another row."""
    assert list(positions(stored(table))) == [3, 5]
    with pytest.raises(LogUnreadable, match=r"is damaged \(its checksum is another"):
        positions(stored(table, b"\xff\xff"))
    with pytest.raises(LogUnreadable, match="has 2 rows; the log says 3"):
        positions(Positions(3, inline=str(vector(table, [3, 5], inline=True)["pathOrInlineDv"])))
    with pytest.raises(LogUnreadable, match="is of a form that is not known"):
        positions(Positions(2, inline=in_base85(b"\0\0\0\0\0\0\0\0")))
    with pytest.raises(LogUnreadable, match="the deletion vector in the log is damaged"):
        positions(Positions(2, inline=in_base85(MAGIC + b"\x09\0\0\0\0\0\0\0\xff\xff\xff\xff")))
    with pytest.raises(LogUnreadable, match=r"cannot be read \(No such file"):
        positions(Positions(1, str(table.path / "none.bin"), 1))


def test_a_large_vector_is_read_as_it_was_written(table: LogBuilder) -> None:
    """Lists, bitmaps and runs of positions, also beyond the 32nd bit."""
    every = [*range(0, 200_000, 7), *range(300_000, 400_000), 2**33 + 5]
    described = vector(table, every)
    log = DeltaLog(hide(table, described).path)
    now = readable_files(log, probe(log, "s.t", None)).now

    assert parts(now) == [("f1", False, every, 1)]
