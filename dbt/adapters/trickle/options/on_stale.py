"""on_stale: how a run reports a table that is older than its schedule allows."""

from dbt.adapters.trickle.options.key import Key, one_of

ON_STALE = Key("on_stale", "error", one_of("on_stale", "error", "warn", "ignore"))
