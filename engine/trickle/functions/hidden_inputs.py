"""Functions that depend on more than their arguments: chance, the clock, the session, files, foreign code."""

from __future__ import annotations

from trickle.functions.record import Determinism, Function, each
from trickle.types import Simple

HIDDEN_INPUTS = (
    *each("aes_encrypt", Function("2-6", "ibdfDTNzamtv ibdfDTNzamtv amt amt", determinism=Determinism.RANDOM)),
    *each(
        "curdate current_date",
        Function(result=Simple.DATE, result_with=0, determinism=Determinism.CLOCK, clock_reading="current_date"),
    ),
    *each(
        "current_catalog current_database current_path current_schema current_user session_user user version",
        Function("0", determinism=Determinism.SESSION),
    ),
    *each("current_time", Function("0-1", determinism=Determinism.CLOCK)),
    *each(
        "current_timestamp now",
        Function(
            result=Simple.TIMESTAMP, result_with=0, determinism=Determinism.CLOCK, clock_reading="current_timestamp"
        ),
    ),
    *each("from_protobuf to_protobuf", Function("2-4", determinism=Determinism.FOREIGN)),
    *each(
        "input_file_block_length input_file_block_start input_file_name",
        Function("0", determinism=Determinism.FILE),
    ),
    *each("java_method reflect try_reflect", Function("2+", determinism=Determinism.FOREIGN)),
    *each(
        "localtimestamp",
        Function(
            result=Simple.TIMESTAMP_NTZ, result_with=0, determinism=Determinism.CLOCK, clock_reading="localtimestamp"
        ),
    ),
    *each("monotonically_increasing_id spark_partition_id", Function("0", determinism=Determinism.RANDOM)),
    *each("python_worker_logs", Function("0+", determinism=Determinism.FOREIGN)),
    *each("rand randn random", Function("0-1", "dfsDTNzamtxv", determinism=Determinism.RANDOM)),
    *each("randstr", Function("1-2", "DTNzamtxv! dfsDTNzamtxv!", determinism=Determinism.RANDOM)),
    *each("shuffle", Function("1-2", "ibdfsDTNzmtxv", determinism=Determinism.RANDOM)),
    *each("try_aes_encrypt", Function(determinism=Determinism.RANDOM)),
    *each("uniform", Function("2-3", "sDTNzamtxv! sDTNzamtxv! dfsDTNzamtxv!", determinism=Determinism.RANDOM)),
    *each("uuid", Function("0-1", determinism=Determinism.RANDOM)),
)
