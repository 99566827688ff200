"""on_source_ddl: what happens when a source was altered or created again."""

from dbt.adapters.trickle.options.key import Key, one_of

ON_SOURCE_DDL = Key("on_source_ddl", "reinitialize", one_of("on_source_ddl", "reinitialize", "fail"))
