"""Functions of dates, times and intervals."""

from __future__ import annotations

from trickle.functions.record import Function, each
from trickle.types import DAY_TO_SECOND, STRING, YEAR_TO_MONTH, Simple, Time

DATES = (
    *each("add_months", Function("2", "ibdfzamtxv DTNzamtxv", Simple.DATE, null_only_from_null=True)),
    *each("convert_timezone", Function("2-3", "amt amt ibdfzamtxv")),
    *each("current_timezone", Function("0")),
    *each(
        "date_add",
        Function("2", "ibdfzamtxv bdfDTNzamtxv", Simple.DATE, result_with=2, unit_first=True, null_only_from_null=True),
    ),
    *each("date_diff", Function("2", "ibdfzamtxv ibdfzamtxv", unit_first=True)),
    *each("date_format", Function("2", "ibdfzamtxv amt", STRING)),
    *each("date_from_unix_date", Function("1", "DTNzamtxv")),
    *each("date_part datepart extract", Function("2", "!")),
    *each("date_sub", Function("2", "ibdfzamtxv bdfDTNzamtxv", Simple.DATE, null_only_from_null=True)),
    *each("date_trunc", Function("2", "amt ibdfzamtxv", null_only_from_null=True)),
    *each("dateadd", Function("2", "ibdfzamtxv bdfDTNzamtxv", unit_first=True)),
    *each("datediff", Function("2", "ibdfzamtxv ibdfzamtxv", Simple.INT, result_with=2, unit_first=True)),
    *each(
        "day dayofmonth dayofweek dayofyear month quarter weekday weekofyear year",
        Function("1", "ibdfzamtxv", Simple.INT),
    ),
    *each("dayname monthname", Function("1", "ibdfzamtxv")),
    *each("from_unixtime", Function("1-2", "DTNzamtxv amt")),
    *each("from_utc_timestamp to_utc_timestamp", Function("2", "ibdfzamtxv amt")),
    *each("hour minute second", Function("1+", "ibdfzamtxv", Simple.INT)),
    *each("last_day", Function("1", "ibdfzamtxv", Simple.DATE, null_only_from_null=True)),
    *each("make_date", Function("3", "DTNzamtxv DTNzamtxv DTNzamtxv", Simple.DATE)),
    *each("make_dt_interval", Function("0-4", "DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv", DAY_TO_SECOND)),
    *each("make_interval", Function("0-7", "DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv", Simple.CALENDAR_INTERVAL)),
    *each("make_time", Function("3", result=Time(6))),
    *each("make_timestamp try_make_timestamp", Function("1,2,3,6,7")),
    *each("make_timestamp_ltz try_make_timestamp_ltz", Function("2,3,6,7")),
    *each("make_timestamp_ntz try_make_timestamp_ntz", Function("2,6")),
    *each("make_ym_interval", Function("0-2", "DTNzamtxv DTNzamtxv", YEAR_TO_MONTH)),
    *each("months_between", Function("2-3", "ibdfzamtxv ibdfzamtxv ibdfDTNamtxv", Simple.DOUBLE)),
    *each("next_day", Function("2", "ibdfzamtxv amt", Simple.DATE)),
    *each("time_bucket", Function("2-3", "ibdfsDTNzamtxv ibdfsDzamtxv ibdfsDzamtxv!")),
    *each("time_diff", Function("3")),
    *each(
        "time_from_micros time_from_millis time_from_seconds time_to_micros time_to_millis time_to_seconds",
        Function("1"),
    ),
    *each("time_trunc", Function("2")),
    *each("timediff timestampadd timestampdiff", Function(unit_first=True)),
    *each("timestamp_micros timestamp_millis", Function("1", "dfsDTNzamtxv")),
    *each("timestamp_seconds", Function("1", "sDTNzamtxv")),
    *each("to_date", Function("1-2", "amt amt", Simple.DATE, null_only_from_null=True, reads_instants=True)),
    *each("to_time try_to_time", Function("1-2", result=Time(6))),
    *each("to_timestamp to_timestamp_ltz to_timestamp_ntz", Function("1-2", "amt amt", reads_instants=True)),
    *each("to_unix_timestamp", Function("1-2", "ibdfzamtxv ibdfDTNzamtxv")),
    *each("trunc", Function("2", "ibdfzamtxv amt", Simple.DATE, null_only_from_null=True)),
    *each("try_make_interval", Function("1-7", "DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv", Simple.CALENDAR_INTERVAL)),
    *each("try_to_date try_to_timestamp", Function("1-2", "amt amt")),
    *each("unix_date", Function("1", "ibdfsTNzamtxv")),
    *each("unix_micros unix_millis unix_seconds", Function("1", "ibdfsDNzamtxv")),
    *each(
        "unix_timestamp",
        Function("0-2", "ibdfzamtxv ibdfDTNzamtxv", Simple.BIGINT, result_with=0, clock_reading="unix_timestamp"),
    ),
)
