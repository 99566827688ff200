"""A dbt project, written for a benchmark."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STREAM_TABLES: Mapping[str, Any] = {"+materialized": "stream_table"}


def write_project(
    folder: Path,
    schema: str,
    warehouse: Path,
    memory: str,
    models: Mapping[str, str],
    configs: Mapping[str, Any] = STREAM_TABLES,
    cores: int | None = None,
) -> Path:
    """Write the project, with one file per model and the profile in its folder. JSON is valid YAML.

    A model's name may begin with a folder, for which `configs` may have an entry. Models of an earlier project go.
    """
    shutil.rmtree(folder / "models", ignore_errors=True)
    for name, query in models.items():
        file = folder / "models" / f"{name}.sql"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(query, "utf-8")
    definition = {
        "name": "bench",
        "profile": "bench",
        "models": {"bench": dict(configs)},
        "flags": {"send_anonymous_usage_stats": False},
    }
    output: dict[str, Any] = {"type": "trickle", "schema": schema, "warehouse": str(warehouse), "driver_memory": memory}
    if cores is not None:
        output["cores"] = cores
    profiles = {"bench": {"target": "dev", "outputs": {"dev": output}}}
    (folder / "dbt_project.yml").write_text(json.dumps(definition), "utf-8")
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    return folder
