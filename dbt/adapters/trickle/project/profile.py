"""The part of profiles.yml that locates the warehouse; the file is found as dbt would find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from dbt.adapters.trickle.profile.keys import anchored, time_zone_fault, unknown_key, warehouse_fault
from dbt.adapters.trickle.project.errors import ProjectError, nearest

DEFAULT_WAREHOUSE = "warehouse"
DEFAULT_TIME_ZONE = "UTC"
TYPE = "trickle"


@dataclass(frozen=True)
class Profile:
    """One output of the profile. `warehouse` is absolute."""

    target: str
    schema: str
    warehouse: str
    time_zone: str = "UTC"


def profiles_folder(given: Path | None, environment: Mapping[str, str]) -> Path:
    """The option, DBT_PROFILES_DIR, the current folder when it has a profiles.yml, else ~/.dbt."""
    if given is not None:
        return given
    if environment.get("DBT_PROFILES_DIR"):
        return Path(environment["DBT_PROFILES_DIR"]).expanduser()
    here = Path.cwd()
    return here if (here / "profiles.yml").exists() else Path.home() / ".dbt"


def read_profile(
    root: Path, project: Mapping[str, Any], folder: Path, target: str | None, environment: Mapping[str, str]
) -> Profile:
    """The output that dbt would use for this project."""
    file = folder / "profiles.yml"
    profiles = read_yaml(file, "create one, or name its folder with --profiles-dir.")
    name = environment.get("DBT_PROFILE") or rendered(str(project.get("profile") or ""), environment, file)
    if name not in profiles:
        raise ProjectError(f"{file} has no profile `{name}`{nearest(name, profiles)}")
    profile = profiles[name] or {}
    outputs = profile.get("outputs") or {}
    wanted = target or environment.get("DBT_TARGET") or rendered(profile.get("target", "default"), environment, file)
    if wanted not in outputs:
        raise ProjectError(f"The profile `{name}` in {file} has no target `{wanted}`{nearest(wanted, outputs)}")
    written = outputs[wanted] or {}
    output = {key: rendered(value, environment, file) for key, value in written.items() if key in _READ}
    if output.get("type") != TYPE:
        raise ProjectError(f"The profile's target `{wanted}` is of type {output.get('type')}, not {TYPE}.")
    zone, warehouse = output.get("time_zone", DEFAULT_TIME_ZONE), output.get("warehouse", DEFAULT_WAREHOUSE)
    fault = unknown_key(written) or warehouse_fault(warehouse) or time_zone_fault(zone)
    folder_of_all, outside = anchored(root, warehouse) if fault is None else ("", None)
    if fault is not None or outside is not None:
        raise ProjectError(str(fault or outside))
    return Profile(target=wanted, schema=output.get("schema", ""), warehouse=folder_of_all, time_zone=zone)


_READ = frozenset({"type", "schema", "warehouse", "time_zone"})


def read_yaml(file: Path, remedy: str) -> Mapping[str, Any]:
    """The mapping in a YAML file."""
    try:
        content = yaml.load(file.read_text("utf-8"), Loader=_LOADER)  # noqa: S506 - both loaders are safe ones
    except FileNotFoundError:
        raise ProjectError(f"There is no {file.name} in {file.parent}: {remedy}") from None
    except (OSError, UnicodeDecodeError) as failure:
        raise ProjectError(f"{file} cannot be read: {failure}.") from failure
    except yaml.YAMLError as failure:
        raise ProjectError(f"{file} is not YAML: {' '.join(str(failure).split())}") from failure
    if not isinstance(content, Mapping):
        raise ProjectError(f"{file} has no mapping: write it as `dbt init` does.")
    return content


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def rendered(value: Any, environment: Mapping[str, str], file: Path) -> str:
    """A value with its Jinja rendered; `env_var` is the only function of dbt's that is defined."""
    text = str(value)
    if "{{" not in text and "{%" not in text:
        return text
    # Most profiles have no Jinja and do without the import.
    import jinja2

    def env_var(name: str, default: str | None = None) -> str:
        if name in environment:
            return environment[name]
        if default is None:
            raise ProjectError(f"{file} uses the environment variable {name}, which is not set.")
        return str(default)

    jinja = jinja2.Environment(undefined=jinja2.StrictUndefined)  # noqa: S701 - YAML, not HTML
    jinja.filters.update(dict.fromkeys(("as_text", "as_native", "as_number", "as_bool"), str))
    try:
        return jinja.from_string(text).render(env_var=env_var)
    except jinja2.TemplateError as failure:
        raise ProjectError(f"{file} has `{text}`, which only dbt can render: {failure}.") from failure
