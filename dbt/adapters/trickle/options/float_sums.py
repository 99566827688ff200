"""float_sums: whether sums of FLOAT and DOUBLE are recomputed per group, or maintained as running sums."""

from __future__ import annotations

from dbt.adapters.trickle.options.key import Key, one_of
from trickle import FloatSums

_choice = one_of("float_sums", "exact", "fast")


def _read(value: object) -> FloatSums:
    return FloatSums(_choice(value))


FLOAT_SUMS = Key("float_sums", "exact", _read)
