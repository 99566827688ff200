"""Loading a project from its folder: dbt_project.yml, profiles.yml and the manifest of the last dbt command."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.project.edited import edited_since
from dbt.adapters.trickle.project.errors import ProjectError
from dbt.adapters.trickle.project.nodes import nodes_of
from dbt.adapters.trickle.project.profile import profiles_folder, read_profile, read_yaml
from dbt.adapters.trickle.project.project import Project


def load_project(
    folder: Path | None = None,
    profiles: Path | None = None,
    target: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Project:
    """The project in `folder`, or that of the current folder, as dbt compiled it last."""
    env = os.environ if environment is None else environment
    root = project_root(folder, env)
    settings = read_yaml(root / "dbt_project.yml", "")
    profile = read_profile(root, settings, profiles_folder(profiles, env), target, env)
    artifacts = _artifacts(root, settings, env)
    nodes = nodes_of(read_manifest(artifacts / "manifest.json"))
    return Project(root, str(settings.get("name", "")), nodes, profile, artifacts)


def is_current(folder: Path | None = None, environment: Mapping[str, str] | None = None) -> bool:
    """Whether the manifest is newer than the project's files."""
    env = os.environ if environment is None else environment
    root = project_root(folder, env)
    settings = read_yaml(root / "dbt_project.yml", "")
    return not edited_since(root, settings, _artifacts(root, settings, env) / "manifest.json")


def _artifacts(root: Path, settings: Mapping[str, Any], environment: Mapping[str, str]) -> Path:
    return root / (environment.get("DBT_TARGET_PATH") or str(settings.get("target-path") or "target"))


def project_root(folder: Path | None, environment: Mapping[str, str]) -> Path:
    """The option, DBT_PROJECT_DIR, or the nearest folder upwards with a dbt_project.yml."""
    named = folder or (Path(environment["DBT_PROJECT_DIR"]) if environment.get("DBT_PROJECT_DIR") else None)
    here = (named or Path.cwd()).expanduser().resolve()
    for candidate in [here] if named else [here, *here.parents]:
        if (candidate / "dbt_project.yml").is_file():
            return candidate
    raise ProjectError(f"{here} is not a dbt project: change to its folder, or name it with --project-dir.")


def read_manifest(file: Path) -> Mapping[str, Any]:
    """The manifest of the last dbt command that compiled the project."""
    try:
        manifest = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise ProjectError(f"There is no {file}: run `dbt parse` or `dbt run` in the project first.") from None
    except (OSError, ValueError) as failure:
        raise ProjectError(f"{file} cannot be read ({failure}): run `dbt parse` again.") from failure
    if not isinstance(manifest, Mapping) or "nodes" not in manifest:
        raise ProjectError(f"{file} is not a manifest of dbt: run `dbt parse` again.")
    return manifest
