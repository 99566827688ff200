"""A model's configuration: one file per key, listed in keys.py. No other module reads our keys."""

from dbt.adapters.trickle.options.config import StreamTableConfig, read_config

__all__ = ["StreamTableConfig", "read_config"]
