"""on_stale: how a run ends that leaves a table older than it promises."""

from dbt.adapters.trickle.options.key import Key, one_of

ON_STALE = Key("on_stale", "error", one_of("on_stale", "error", "warn", "ignore"))
