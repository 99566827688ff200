"""The profile of a project as dbt itself reads it, with all keys that Spark needs."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import Any, Optional

from dbt.config.runtime import load_profile
from dbt.flags import set_from_args
from dbt_common.exceptions import DbtBaseException

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.project import ProjectError
from dbt.adapters.trickle.project.profile import profiles_folder


def credentials_of(root: Path, profiles: Optional[Path], target: Optional[str]) -> Any:
    """The credentials of the profile's target, with an absolute warehouse folder."""
    try:
        folder = profiles_folder(profiles, os.environ)
        set_from_args(Namespace(profiles_dir=str(folder), project_dir=str(root)), {})
        credentials: Any = load_profile(str(root), {}, None, target or os.environ.get("DBT_TARGET")).credentials
        if credentials.type != "trickle":
            raise Refusal(f"the profile is of type {credentials.type}, not trickle")
        credentials.anchor(root)
    except (ProjectError, DbtBaseException) as wrong:
        raise Refusal(sentence_of(wrong)) from wrong
    return credentials


def sentence_of(failure: BaseException) -> str:
    """The error's message without the heading that dbt adds."""
    return " ".join(str(getattr(failure, "msg", failure)).split())
