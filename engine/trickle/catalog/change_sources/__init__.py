"""Change sources: how the rows that a source gained and lost are read. One a file, and a line in ChangedRows.

Each has `relation(source, statistics)`: the rows added and removed with their weight, as a relation without alias;
`statistics` bound the changed rows where that skips files.
"""

from typing import Union

from trickle.catalog.change_sources.added_files import AddedFiles
from trickle.catalog.change_sources.feed_range import FeedRange
from trickle.catalog.change_sources.named_files import NamedFiles

ChangedRows = Union[FeedRange, AddedFiles, NamedFiles]

__all__ = ["AddedFiles", "ChangedRows", "FeedRange", "NamedFiles"]
