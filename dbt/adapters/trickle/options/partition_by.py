"""partition_by: dbt-spark's key; the columns by which the storage is partitioned."""

from dbt.adapters.trickle.options.key import Key, columns

PARTITION_BY = Key("partition_by", None, columns("partition_by"), ours=False)
