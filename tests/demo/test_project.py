"""The example project: what a newcomer copies must be whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from dbt.contracts.graph.manifest import Manifest
from shopkeeper.commands import Project, one_line

FOLDER = Path(__file__).resolve().parents[2] / "integration_tests"
RUN_LEFTOVERS = ("warehouse", "target", "logs")


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Manifest]:
    copy = tmp_path_factory.mktemp("demo") / "shop"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns(*RUN_LEFTOVERS))
    yield Project(copy).parse()


def test_the_project_parses_without_spark(manifest: Manifest) -> None:
    """Five sources, a staging view for each, and the stream tables over them."""
    kinds = [node.config.materialized for node in manifest.nodes.values() if node.resource_type == "model"]

    assert len(manifest.sources) == kinds.count("view") == 5
    assert kinds.count("stream_table") == len(kinds) - 5 >= 8


def test_every_stream_table_is_checked_to_be_exact(manifest: Manifest) -> None:
    """`dbt test` compares each of them with its SELECT."""
    tables = {name for name, node in manifest.nodes.items() if node.config.materialized == "stream_table"}
    tests = [node for node in manifest.nodes.values() if node.resource_type == "test"]
    exact = {str(node.attached_node) for node in tests if node.name.startswith("stream_table_exact")}

    assert exact == tables


def test_everything_is_described(manifest: Manifest) -> None:
    """An example without words teaches half."""
    nodes = [*manifest.sources.values(), *(n for n in manifest.nodes.values() if n.resource_type == "model")]

    assert [node.name for node in nodes if not node.description] == []


def test_the_profile_has_four_lines() -> None:
    """As the README promises."""
    text = (FOLDER / "profiles.yml").read_text("utf-8")

    assert len(text.splitlines()) == 4
    assert yaml.safe_load(text)["shop"]["outputs"]["dev"]["type"] == "trickle"


def test_a_message_becomes_one_sentence() -> None:
    """An error on the demo's console has one line."""
    assert one_line("Runtime Error\n  in model  x\n") == "Runtime Error in model x"
    assert len(one_line("long " * 200)) == 300
