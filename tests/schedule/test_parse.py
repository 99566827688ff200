"""What the config key `schedule` takes, and what it says to the rest."""

from __future__ import annotations

from typing import Any

import pytest

from trickle.errors import InvalidView
from trickle.schedule.duration import DAY, HOUR, MINUTE, SECOND, WEEK
from trickle.schedule.every import Every
from trickle.schedule.parse import parse_schedule
from trickle.schedule.slots import Calculated, Cron, EveryRun, OnUpdate
from trickle.schedule.target_lag import TargetLag


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("30s", TargetLag(30 * SECOND)),
        ("1h30m", TargetLag(90 * MINUTE)),
        (" 1d ", TargetLag(DAY)),
        ("1w", TargetLag(WEEK)),
        ("1w3d", TargetLag(10 * DAY)),
        ({"target_lag": "5m"}, TargetLag(5 * MINUTE)),
        ({"target_lag": "2w", "time_zone": "Europe/Berlin"}, TargetLag(2 * WEEK)),
        ("*/5 * * * *", Cron("*/5 * * * *", "UTC")),
        ("0  3 * *  MON-FRI", Cron("0 3 * * MON-FRI", "UTC")),
        ("*/10 * * * * *", Cron("*/10 * * * * *", "UTC")),
        ("@hourly", Cron("0 * * * *", "UTC")),
        ("@Daily", Cron("0 0 * * *", "UTC")),
        ("calculated", Calculated()),
        ({"every": "5m"}, Every(5 * MINUTE)),
        ({"every": "1d", "time_zone": "Europe/Berlin"}, Every(DAY, "Europe/Berlin")),
        ({"cron": "0 3 * * *", "time_zone": "Europe/Berlin"}, Cron("0 3 * * *", "Europe/Berlin")),
        ({"cron": "@daily"}, Cron("0 0 * * *", "UTC")),
        ({"on_update": True}, EveryRun(on_update=True)),
        ({"on_update": True, "at_most_every": "1h"}, OnUpdate(HOUR)),
    ],
)
def test_what_is_allowed(value: Any, expected: object) -> None:
    """Durations, cron expressions, names, `calculated`, and a mapping of one of them."""
    assert parse_schedule(value) == expected


def test_the_profile_has_the_zone_unless_the_model_says_one() -> None:
    """Cron hours are those of the warehouse's time zone."""
    assert parse_schedule("@daily", "Asia/Kolkata") == Cron("0 0 * * *", "Asia/Kolkata")
    assert parse_schedule({"cron": "@daily", "time_zone": "UTC"}, "Asia/Kolkata") == Cron("0 0 * * *", "UTC")
    assert parse_schedule({"every": "1d"}, "Asia/Kolkata") == Every(DAY, "Asia/Kolkata")


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        ("5 minutes", "5m"), ("every 10 min", "10m"), (300, "5m"), ("PT5M", "5m"), ("5M", "5m"), ("hourly", "@hourly"),
        ("dayly", "@daily"), ("@houry", "@hourly"), ("downstream", "calculated"), ("calculate", "calculated"),
        ("* * * *", "* * * * *"), ("61 * * * *", "59 * * * *"), ("0 24 * * *", "0 0 * * *"),
        ("0 0 12 * * ?", "0 0 12 * * *"), ("0 0 12 * * ? 2026", "0 0 12 * * *"), ("0 0 0 * *", "0 0 1 * *"),
    ],
)  # fmt: skip
def test_a_near_miss_is_told_the_nearest(value: Any, nearest: str) -> None:
    """And the nearest is itself allowed."""
    with pytest.raises(InvalidView) as refused:
        parse_schedule(value)

    assert str(refused.value).endswith(f"the nearest is `{nearest}`.")
    assert "say a duration such as 5m" in str(refused.value)
    parse_schedule(nearest)


@pytest.mark.parametrize("value", ["soon", "", "0m", None, True, ["5m"], 1.5, "0 0 30 2 *", "@reboot"])
def test_what_is_near_to_nothing_is_told_what_is_allowed(value: Any) -> None:
    """One sentence, no guess."""
    with pytest.raises(InvalidView, match=r"`schedule: .*` is not allowed.*: say a duration .*\.$") as refused:
        parse_schedule(value)

    assert "nearest" not in str(refused.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"target": "5m"}, "`target` is no key of it; .* the nearest is `target_lag`"),
        ({"target_lag": "1 hour"}, "`target_lag` takes a duration .* the nearest is `1h`"),
        ({"target_lag": "1h", "every": "1h"}, "it takes exactly one of target_lag, every"),
        (
            {"evry": "5m"},
            "it takes target_lag, every, cron, on_update, time_zone, at_most_every; the nearest is `every`",
        ),
        ({"every": "5m", "cron": "@daily"}, "it takes exactly one of target_lag, every, cron, on_update"),
        ({}, "it takes exactly one of target_lag, every, cron, on_update"),
        ({"cron": "@daily", "time_zone": "Europe/Berln"}, "is no time zone; the nearest is `Europe/Berlin`"),
        ({"every": "5m", "time_zone": "moon"}, "`moon` is no time zone"),
        ({"every": "5 min"}, "`every` takes a duration such as 5m, 1h30m or 1d; the nearest is `5m`"),
        ({"on_update": True, "at_most_every": 600}, "`at_most_every` takes a duration .* the nearest is `10m`"),
        ({"every": "5m", "at_most_every": "10m"}, "`at_most_every` goes with on_update"),
        ({"on_update": "yes"}, "`on_update` is true or left out"),
        ({"cron": "0 25 * * *"}, "its hour goes from 0 to 23"),
    ],
)
def test_a_mapping_is_told_its_fault(value: Any, told: str) -> None:
    """Unknown keys, too many kinds, unknown zones."""
    with pytest.raises(InvalidView, match=told):
        parse_schedule(value)
