"""lint-imports over both of our packages: `dbt.adapters` is a regular package, below which Grimp looks for no root.

Grimp finds a package below a namespace by itself, so that only the search has to be told where ours lies.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grimp.adaptors.packagefinder import ImportLibPackageFinder
from grimp.application.config import settings
from importlinter.cli import lint_imports

ADAPTER = "dbt.adapters.trickle"
ROOT = Path(__file__).parents[1]


class PackageFinder(ImportLibPackageFinder):
    """Grimp's own, but for the adapter."""

    def determine_package_directories(self, package_name, file_system):  # type: ignore[no-untyped-def]
        if package_name == ADAPTER:
            return {str(ROOT / ADAPTER.replace(".", "/"))}
        return super().determine_package_directories(package_name, file_system)


if __name__ == "__main__":
    settings.configure(PACKAGE_FINDER=PackageFinder())
    sys.exit(lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True))
