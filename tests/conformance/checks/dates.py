"""Date expressions."""

from datetime import timedelta
from typing import Any

from bson import Int64, ObjectId, Timestamp

from tests.conformance.building import expression
from tests.conformance.expectations import AnyOf, Number, Refused, moment

DT = {"d": moment(2024, 2, 29, 13, 45, 30, 123000)}


def da(n: Any, e: Any, x: Any, d: Any = None, **kw: Any) -> None:
    expression(n, e, x, d or DT, cat="date", **kw)


da(
    "parts",
    [
        {"$year": "$d"},
        {"$month": "$d"},
        {"$dayOfMonth": "$d"},
        {"$hour": "$d"},
        {"$minute": "$d"},
        {"$second": "$d"},
        {"$millisecond": "$d"},
    ],
    [2024, 2, 29, 13, 45, 30, 123],
)
da(
    "week parts",
    [{"$dayOfWeek": "$d"}, {"$dayOfYear": "$d"}, {"$week": "$d"}, {"$isoWeek": "$d"}, {"$isoDayOfWeek": "$d"}],
    [5, 60, 8, 9, 4],
)
da("isoWeekYear", {"$isoWeekYear": "$d"}, Number(2020), {"d": moment(2021, 1, 2)})
da(
    "parts with timezone",
    [
        {"$hour": {"date": "$d", "timezone": "America/New_York"}},
        {"$hour": {"date": "$d", "timezone": "+0530"}},
        {"$dayOfMonth": {"date": "$d", "timezone": "Asia/Tokyo"}},
    ],
    [8, 19, 29],
)
da("year of null/missing", [{"$year": "$nope"}, {"$year": None}], [None, None])
da("year of string is an error", {"$year": "$s"}, Refused(16006), {"s": "2024-01-01"})
da("year of ObjectId", {"$year": "$o"}, 2018, {"o": ObjectId("5ab9c3da31c2ab715d421285")})
da("dateToString default", {"$dateToString": {"date": "$d"}}, "2024-02-29T13:45:30.123Z")
da(
    "dateToString formats",
    {"$dateToString": {"date": "$d", "format": "%Y/%m/%d %H:%M:%S.%L %j %w %u %U %G-W%V %z %Z %%"}},
    "2024/02/29 13:45:30.123 060 5 4 08 2024-W09 +0000 +000 %",
)
da(
    "dateToString %b %B %d",
    {"$dateToString": {"date": "$d", "format": "%d %b %B"}},
    AnyOf("29 Feb February", Refused(18535)),
)
da(
    "dateToString timezone",
    {"$dateToString": {"date": "$d", "format": "%Y-%m-%dT%H:%M%z", "timezone": "America/New_York"}},
    "2024-02-29T08:45-0500",
)
da(
    "dateToString default with timezone",
    {"$dateToString": {"date": "$d", "timezone": "America/New_York"}},
    "2024-02-29T08:45:30.123",
    note="unsure: source uses no offset when a zone is given",
)
da(
    "dateToString onNull",
    [{"$dateToString": {"date": "$nope", "onNull": "n/a"}}, {"$dateToString": {"date": "$nope"}}],
    ["n/a", None],
)
da("dateToString bad format", {"$dateToString": {"date": "$d", "format": "%Q"}}, Refused(18536))
da("dateToString bad timezone", {"$dateToString": {"date": "$d", "timezone": "Mars/Base"}}, Refused(40485))
da(
    "dateFromString ISO",
    [
        {"$dateFromString": {"dateString": "2017-02-08T12:10:40.787"}},
        {"$dateFromString": {"dateString": "2017-02-08"}},
        {"$dateFromString": {"dateString": "2017-02-08T12:10:40.787Z"}},
        {"$dateFromString": {"dateString": "2017-02-08T12:10:40+02:00"}},
    ],
    [
        moment(2017, 2, 8, 12, 10, 40, 787000),
        moment(2017, 2, 8),
        moment(2017, 2, 8, 12, 10, 40, 787000),
        moment(2017, 2, 8, 10, 10, 40),
    ],
)
da(
    "dateFromString format",
    {"$dateFromString": {"dateString": "15/06/2018 13:05", "format": "%d/%m/%Y %H:%M"}},
    moment(2018, 6, 15, 13, 5),
)
da(
    "dateFromString timezone",
    {"$dateFromString": {"dateString": "2017-02-08T12:10:40.787", "timezone": "America/New_York"}},
    moment(2017, 2, 8, 17, 10, 40, 787000),
)
da(
    "dateFromString onError/onNull",
    [
        {"$dateFromString": {"dateString": "nope", "onError": "E"}},
        {"$dateFromString": {"dateString": None, "onNull": "N"}},
        {"$dateFromString": {"dateString": None}},
    ],
    ["E", "N", None],
)
da("dateFromString failure", {"$dateFromString": {"dateString": "2017-13-45"}}, Refused(241))
da(
    "dateFromString lenient english",
    {"$dateFromString": {"dateString": "July 4, 2017"}},
    moment(2017, 7, 4),
    note="timelib accepts natural forms",
)
da(
    "dateToParts",
    {"$dateToParts": {"date": "$d", "timezone": "America/New_York"}},
    {"year": 2024, "month": 2, "day": 29, "hour": 8, "minute": 45, "second": 30, "millisecond": 123},
)
da(
    "dateToParts iso8601",
    {"$dateToParts": {"date": "$d", "iso8601": True}},
    {
        "isoWeekYear": Number(2024),
        "isoWeek": 9,
        "isoDayOfWeek": 4,
        "hour": 13,
        "minute": 45,
        "second": 30,
        "millisecond": 123,
    },
)
da(
    "dateFromParts carries",
    [
        {"$dateFromParts": {"year": 2017, "month": 14, "day": 1}},
        {"$dateFromParts": {"year": 2018, "month": 0}},
        {"$dateFromParts": {"isoWeekYear": 2018, "isoWeek": 6, "isoDayOfWeek": 3}},
        {
            "$dateFromParts": {
                "year": 2016,
                "month": 12,
                "day": 31,
                "hour": 23,
                "minute": 46,
                "second": 12,
                "timezone": "America/New_York",
            }
        },
    ],
    [moment(2018, 2, 1), moment(2017, 12, 1), moment(2018, 2, 7), moment(2017, 1, 1, 4, 46, 12)],
)
da(
    "dateTrunc units",
    [
        {"$dateTrunc": {"date": "$d", "unit": u}}
        for u in ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
    ],
    [
        moment(2024, 1, 1),
        moment(2024, 1, 1),
        moment(2024, 2, 1),
        moment(2024, 2, 25),
        moment(2024, 2, 29),
        moment(2024, 2, 29, 13),
        moment(2024, 2, 29, 13, 45),
        moment(2024, 2, 29, 13, 45, 30),
    ],
)
da(
    "dateTrunc startOfWeek monday",
    {"$dateTrunc": {"date": "$d", "unit": "week", "startOfWeek": "monday"}},
    moment(2024, 2, 26),
)
da(
    "dateTrunc binSize",
    [
        {"$dateTrunc": {"date": "$d", "unit": "hour", "binSize": 6}},
        {"$dateTrunc": {"date": "$d", "unit": "minute", "binSize": 20}},
        {"$dateTrunc": {"date": "$d", "unit": "month", "binSize": 6}},
        {"$dateTrunc": {"date": "$d", "unit": "year", "binSize": 10}},
    ],
    [moment(2024, 2, 29, 12), moment(2024, 2, 29, 13, 40), moment(2024, 1, 1), moment(2020, 1, 1)],
)
da(
    "dateTrunc binSize days from 2000-01-01",
    {"$dateTrunc": {"date": "$d", "unit": "day", "binSize": 7}},
    moment(2000, 1, 1) + timedelta(days=((moment(2024, 2, 29) - moment(2000, 1, 1)).days // 7) * 7),
)
da(
    "dateTrunc timezone",
    {"$dateTrunc": {"date": "$d", "unit": "day", "timezone": "America/New_York"}},
    moment(2024, 2, 29, 5),
)
da("dateTrunc null", {"$dateTrunc": {"date": "$nope", "unit": "day"}}, None)
DD = {"a": moment(2020, 1, 31, 23, 59), "b": moment(2020, 2, 1, 0, 1)}
da(
    "dateDiff counts boundaries, long",
    [
        {"$dateDiff": {"startDate": "$a", "endDate": "$b", "unit": u}}
        for u in ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
    ],
    [Int64(0), Int64(0), Int64(1), Int64(0), Int64(1), Int64(1), Int64(2), Int64(120)],
    DD,
)
da(
    "dateDiff week startOfWeek",
    {"$dateDiff": {"startDate": "$a", "endDate": "$b", "unit": "week", "startOfWeek": "saturday"}},
    Int64(1),
    DD,
)
da("dateDiff negative", {"$dateDiff": {"startDate": "$b", "endDate": "$a", "unit": "month"}}, Int64(-1), DD)
da(
    "dateDiff timezone",
    {"$dateDiff": {"startDate": "$a", "endDate": "$b", "unit": "day", "timezone": "America/New_York"}},
    Int64(0),
    DD,
)
da(
    "dateAdd clamps month end",
    [
        {"$dateAdd": {"startDate": moment(2024, 1, 31), "unit": "month", "amount": 1}},
        {"$dateAdd": {"startDate": moment(2023, 1, 31), "unit": "month", "amount": 1}},
        {"$dateAdd": {"startDate": moment(2024, 2, 29), "unit": "year", "amount": 1}},
        {"$dateAdd": {"startDate": moment(2024, 1, 31), "unit": "quarter", "amount": 1}},
    ],
    [moment(2024, 2, 29), moment(2023, 2, 28), moment(2025, 2, 28), moment(2024, 4, 30)],
)
da(
    "dateAdd across DST with timezone",
    [
        {
            "$dateAdd": {
                "startDate": moment(2021, 3, 13, 15),
                "unit": "day",
                "amount": 1,
                "timezone": "America/New_York",
            }
        },
        {
            "$dateAdd": {
                "startDate": moment(2021, 3, 13, 15),
                "unit": "hour",
                "amount": 24,
                "timezone": "America/New_York",
            }
        },
    ],
    [moment(2021, 3, 14, 14), moment(2021, 3, 14, 15)],
)
da(
    "dateSubtract",
    {"$dateSubtract": {"startDate": moment(2024, 3, 31), "unit": "month", "amount": 1}},
    moment(2024, 2, 29),
)
da("dateAdd fractional amount error", {"$dateAdd": {"startDate": "$d", "unit": "day", "amount": 1.5}}, Refused(5166405))
da(
    "toDate",
    [{"$toDate": "$l"}, {"$toDate": "2018-03-03"}, {"$toDate": "$o"}, {"$toDate": "2018-03-20 11:00:06 +0500"}],
    [moment(1973, 10, 20, 21, 20), moment(2018, 3, 3), moment(2018, 3, 27, 4, 8, 58), moment(2018, 3, 20, 6, 0, 6)],
    {"l": Int64(120000000000), "o": ObjectId("5ab9c3da31c2ab715d421285")},
)
da("toDate of int32 is an error", {"$toDate": 1200}, Refused(241))
da("toLong of date", {"$toLong": "$d"}, Int64(1704067200000), {"d": moment(2024, 1, 1)})
da("tsSecond", {"$tsSecond": "$t"}, Int64(7), {"t": Timestamp(7, 1)})
