"""The rows of Spark's DESCRIBE for a view that a refresh has created."""

from __future__ import annotations

from dbt.adapters.trickle.refreshing.refresh import Refresh

Rows = list[tuple[object, ...]]


def described(refresh: Refresh) -> Rows:
    facade, storage = refresh.facade, refresh.storage
    marks = f"[trickle.storage={storage.schema}.{storage.identifier}, trickle.text={facade.text_fingerprint}]"
    columns: Rows = [(column.name, "int", column.comment) for column in facade.columns]
    details: Rows = [("Type", "VIEW", ""), ("View Text", facade.sql, ""), ("Table Properties", marks, "")]
    return [*columns, ("", "", ""), ("# Detailed Table Information", "", ""), *details]
