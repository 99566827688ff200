"""The demo is no package: its folder is where Python looks first when it is run, and so here."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "integration_tests"))
