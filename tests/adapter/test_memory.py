"""State between runs: the same for each implementation, and the errors that only files can have."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.ports import NOT_SUSPENDED, Memory, QuietRefresh, Suspension
from dbt.adapters.trickle.scheduling.memory import revoke_forgiveness
from dbt.adapters.trickle.warehouses.embedded.folder_memory import FolderMemory
from dbt.adapters.trickle.warehouses.embedded.warehouse_folders import WarehouseFolders
from tests.adapter.memory_without_files import MemoryWithoutFiles


@pytest.fixture(params=["files", "no files"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Memory:
    return FolderMemory(WarehouseFolders(tmp_path)) if request.param == "files" else MemoryWithoutFiles()


def test_the_last_decision_counts(memory: Memory) -> None:
    """The last decision per table is read, whatever the case of its name."""
    memory.write_suspension("Shop", "Orders", Suspension(5, "three"))
    written = memory.suspension("shop", "orders")
    revoke_forgiveness(memory, "shop", "orders")
    revoked = memory.suspension("shop", "orders")
    memory.write_suspension("shop", "orders", NOT_SUSPENDED)

    assert (written, revoked) == (Suspension(5, "three"), Suspension(5))
    assert memory.suspension("shop", "orders") == NOT_SUSPENDED
    assert memory.suspension("shop", "totals") == NOT_SUSPENDED


def test_the_last_check_counts(memory: Memory) -> None:
    """A check is overwritten and read back; there is none for another table."""
    memory.write_quiet_refresh("Shop", "Orders", QuietRefresh("id", 1, "a"))
    memory.write_quiet_refresh("shop", "orders", QuietRefresh("id", 2, "b"))

    assert memory.quiet_refresh("shop", "orders") == QuietRefresh("id", 2, "b")
    assert memory.quiet_refresh("shop", "totals") is None


def test_files_are_named_for_their_tables(tmp_path: Path) -> None:
    """Other releases find them by these names; ending a suspension leaves no file, nor does writing one."""
    memory = FolderMemory(WarehouseFolders(tmp_path))
    memory.write_quiet_refresh("Shop", "Orders", QuietRefresh("id", 1, "a"))
    memory.write_suspension("Shop", "Orders", Suspension(5))
    memory.write_suspension("Shop", "Totals", Suspension(5))
    memory.write_suspension("Shop", "Totals", NOT_SUSPENDED)

    files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file())
    assert files == ["checks/shop/orders__trickle.json", "rulings/shop/orders.json"]


def test_the_longest_name_has_a_file(tmp_path: Path) -> None:
    memory = FolderMemory(WarehouseFolders(tmp_path))
    memory.write_quiet_refresh("shop", "x" * 246, QuietRefresh("id", 1, "a"))
    assert memory.quiet_refresh("shop", "x" * 246) == QuietRefresh("id", 1, "a")


def test_an_unreadable_check_is_none(tmp_path: Path) -> None:
    memory = FolderMemory(WarehouseFolders(tmp_path))
    memory.write_quiet_refresh("shop", "orders", QuietRefresh("id", 1, "a"))
    (tmp_path / "checks" / "shop" / "orders__trickle.json").write_text("{")
    assert memory.quiet_refresh("shop", "orders") is None


def test_an_unreadable_decision_suspends(tmp_path: Path) -> None:
    """A table whose file cannot be read counts as suspended until the next decision."""
    memory = FolderMemory(WarehouseFolders(tmp_path))
    memory.write_suspension("shop", "orders", Suspension(5))
    for text in ("{", "[]", '{"suspended_since": "soon", "forgiven": ""}', '{"forgiven": ""}'):
        (tmp_path / "rulings" / "shop" / "orders.json").write_text(text)
        assert memory.suspension("shop", "orders").suspended_since is not None
    memory.write_suspension("shop", "orders", NOT_SUSPENDED)
    assert memory.suspension("shop", "orders") == NOT_SUSPENDED
