"""A model's configuration: one key a file, listed in keys.py. Nothing else reads our keys."""

from dbt.adapters.trickle.options.config import StreamTableConfig, read_config

__all__ = ["StreamTableConfig", "read_config"]
