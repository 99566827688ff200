"""What Spark Connect raises, as the port's Failure: condition, SQLSTATE, parameters, and the failures within it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grpc import RpcError
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.connect import SparkConnectGrpcException

from dbt.adapters.trickle.warehouses.failure_text import STACK, is_wrapper, shown
from trickle import Failure

NO_CONNECTION = "TRICKLE_NO_CONNECTION"
"""Our condition for a server that does not answer, for which Spark has none."""
CANCELLED = "OPERATION_CANCELED"
CANCELLED_STATE = "HY008"


def failure_of(raised: PySparkException | RpcError, details: Sequence[Any]) -> Failure:
    """The failure as a value. `details` are the server's errors of this failure, outermost first."""
    causes = tuple(_cause(error) for error in details[1:])
    if not isinstance(raised, PySparkException) or _is_connection_lost(raised):
        return Failure(NO_CONNECTION, "08000", f"The Spark Connect server does not answer: {_first_lines(str(raised))}")
    condition = str(raised.getCondition() or "")
    outer = Failure(
        condition,
        str(raised.getSqlState() or ""),
        _first_lines(str(raised)),
        {str(name): str(value) for name, value in (raised.getMessageParameters() or {}).items()},
        causes,
    )
    informative = next(
        (failure for failure in outer.chain if failure.condition and not is_wrapper(failure.condition)), outer
    )
    return Failure(condition, outer.sqlstate, informative.message, outer.parameters, causes)


def cancelled() -> Failure:
    """The failure of a statement that is not started, because its session was cancelled."""
    return Failure(CANCELLED, CANCELLED_STATE, "Cancelled: this connection starts no further statement.")


def error_chain(response: Any) -> list[Any]:
    """The errors of a FetchErrorDetails response from the outermost to its innermost cause."""
    if response is None or not response.HasField("root_error_idx"):
        return []
    chain = [response.errors[response.root_error_idx]]
    while chain[-1].HasField("cause_idx") and len(chain) <= len(response.errors):
        chain.append(response.errors[chain[-1].cause_idx])
    return chain


def _cause(error: Any) -> Failure:
    known = error.spark_throwable
    return Failure(
        str(known.error_class),
        str(known.sql_state),
        _first_lines(str(error.message)),
        {str(name): str(value) for name, value in known.message_parameters.items()},
    )


def _is_connection_lost(raised: PySparkException) -> bool:
    """Whether the failure is one of the transport: Spark names a condition for all of its own."""
    return isinstance(raised, SparkConnectGrpcException) and not raised.getCondition()


def _first_lines(text: str) -> str:
    return shown(text.partition(STACK)[0].splitlines())
