"""A dbt project of stream tables, written for a benchmark."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def write_project(folder: Path, schema: str, warehouse: Path, memory: str, models: Mapping[str, str]) -> Path:
    """Write the project, with one file per model and the profile in its folder. JSON is valid YAML."""
    (folder / "models").mkdir(parents=True)
    for name, query in models.items():
        (folder / "models" / f"{name}.sql").write_text(query, "utf-8")
    definition = {
        "name": "bench",
        "profile": "bench",
        "models": {"bench": {"+materialized": "stream_table"}},
        "flags": {"send_anonymous_usage_stats": False},
    }
    output = {"type": "trickle", "schema": schema, "warehouse": str(warehouse), "driver_memory": memory}
    profiles = {"bench": {"target": "dev", "outputs": {"dev": output}}}
    (folder / "dbt_project.yml").write_text(json.dumps(definition), "utf-8")
    (folder / "profiles.yml").write_text(json.dumps(profiles), "utf-8")
    return folder
