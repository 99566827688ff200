"""cluster_by, or dbt-spark's liquid_clustered_by: the columns by which the storage is clustered."""

from dbt.adapters.trickle.options.key import Key, columns

CLUSTER_BY = Key("cluster_by", None, columns("cluster_by"), ours=False, aliases=("liquid_clustered_by",))
