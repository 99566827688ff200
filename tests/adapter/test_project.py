"""A project is read without dbt: where dbt would look, as dbt would render it, and one sentence when it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.trickle.project import Project, ProjectError, load_project
from tests.adapter.log_builder import LogBuilder

PROFILE = """
shop:
  target: dev
  outputs:
    dev: {type: trickle, schema: shop}
    prod: {type: trickle, schema: "{{ env_var('SCHEMA', 'live') }}", warehouse: /data, time_zone: Europe/Berlin}
    old: {type: spark, schema: shop}
"""


def model(name: str, materialized: str = "stream_table", *reads: str, **config: Any) -> dict[str, Any]:
    return {
        "unique_id": f"model.p.{name}",
        "resource_type": "model",
        "name": name,
        "schema": "Shop",
        "alias": config.pop("alias", name),
        "config": {"materialized": materialized, **config},
        "depends_on": {"nodes": list(reads)},
        "original_file_path": f"models/{name}.sql",
    }


def source(name: str) -> dict[str, Any]:
    raw = {"unique_id": f"source.p.raw.{name}", "resource_type": "source", "source_name": "raw"}
    return {**raw, "name": name, "schema": "raw", "identifier": name, "config": {"enabled": True}}


def write(folder: Path, *nodes: dict[str, Any], profile: str = PROFILE) -> Path:
    """A project of these nodes, compiled."""
    (folder / "dbt_project.yml").write_text("{name: p, profile: shop}")
    (folder / "profiles.yml").write_text(profile)
    sources = {one["unique_id"]: one for one in nodes if one["resource_type"] == "source"}
    others = {one["unique_id"]: one for one in nodes if one["resource_type"] != "source"}
    (folder / "target").mkdir()
    (folder / "target" / "manifest.json").write_text(json.dumps({"nodes": others, "sources": sources}))
    return folder


def loaded(folder: Path, target: str | None = None, **environment: str) -> Project:
    return load_project(folder, folder, target, environment)


def test_the_nodes_of_the_manifest(tmp_path: Path) -> None:
    """Stream tables in order of name, and what each reads; a source is called as users write it."""
    project = loaded(
        write(tmp_path, model("b", "stream_table", "model.p.v"), model("v", "view"), model("a"), source("t"))
    )

    assert [node.name for node in project.stream_tables] == ["a", "b"]
    assert project.stream_table("B").reads == ("model.p.v",)
    assert project.stream_table("shop.a").relation == ("shop", "a")
    assert project.nodes["source.p.raw.t"].label == "raw.t"


def test_the_profile_is_the_one_dbt_takes(tmp_path: Path) -> None:
    """The default target, another by name or environment, `env_var`, and a folder in the project unless absolute."""
    write(tmp_path, model("a"))

    assert loaded(tmp_path).profile.warehouse == str(tmp_path / "warehouse")
    assert loaded(tmp_path, "prod").profile.schema == "live"
    assert loaded(tmp_path, DBT_TARGET="prod", SCHEMA="s").profile.schema == "s"
    assert loaded(tmp_path, "prod").profile.warehouse == "/data"


def test_logs_are_found_where_tables_lie(tmp_path: Path) -> None:
    """In the warehouse, or in the folder of `location_root`; a source's name may stand for a stream table."""
    project = loaded(write(tmp_path, model("a"), model("b", location_root=str(tmp_path / "else"))))
    LogBuilder(tmp_path / "warehouse" / "data" / "shop.db" / "a__trickle").create()
    LogBuilder(tmp_path / "else" / "b__trickle").create()
    LogBuilder(tmp_path / "warehouse" / "data" / "raw.db" / "t").create()

    assert all(project.storage_log(node).exists for node in project.stream_tables)
    assert project.source_log("shop.a") is not None
    assert project.source_log("raw.t") is not None
    assert project.source_log("raw.nowhere") is None


@pytest.mark.parametrize(
    ("target", "name", "sentence"),
    [
        (None, "revenu", "There is no stream table revenu; did you mean revenue?"),
        (None, "zzz", "There is no stream table zzz; there are: revenue."),
        (None, "v", "v is a view, not a stream table."),
        ("prd", "revenue", "has no target `prd`; did you mean prod?"),
        ("old", "revenue", "is of type spark, not trickle"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(tmp_path: Path, target: str | None, name: str, sentence: str) -> None:
    """The nearest name, or all of them."""
    write(tmp_path, model("revenue"), model("v", "view"))

    with pytest.raises(ProjectError) as refused:
        loaded(tmp_path, target).stream_table(name)

    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("gone", "content", "sentence"),
    [
        ("dbt_project.yml", None, "is not a dbt project: change to its folder, or name it with --project-dir"),
        ("profiles.yml", None, "There is no profiles.yml in"),
        ("profiles.yml", "shop: [", "is not YAML"),
        ("profiles.yml", "shop: {outputs: {default: {type: trickle, schema: '{{ x }}'}}}", "only dbt can render"),
        ("profiles.yml", "other: {}", "has no profile `shop`"),
        ("profiles.yml", "shop: {outputs: {default: {type: trickle, schema: s, warehose: x}}}", "mean `warehouse`?"),
        (
            "profiles.yml",
            "shop: {outputs: {default: {type: trickle, warehouse: 's3a://b'}}}",
            "a folder of this machine",
        ),
        ("profiles.yml", "shop: {outputs: {default: {type: trickle, warehouse: .}}}", "name a folder of its own"),
        ("target/manifest.json", None, "run `dbt parse` or `dbt run`"),
        ("target/manifest.json", "{", "cannot be read"),
        ("target/manifest.json", "{}", "is not a manifest"),
    ],
)
def test_a_project_that_cannot_be_read(tmp_path: Path, gone: str, content: str | None, sentence: str) -> None:
    """One sentence, with what to do."""
    write(tmp_path, model("a"))
    (tmp_path / gone).unlink()
    if content is not None:
        (tmp_path / gone).write_text(content)

    with pytest.raises(ProjectError) as refused:
        loaded(tmp_path)

    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
