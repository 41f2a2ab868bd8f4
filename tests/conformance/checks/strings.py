"""String expressions."""

import re
from typing import Any

from bson import Int64, ObjectId

from tests.conformance.building import expression
from tests.conformance.expectations import Refused, moment


def st(n: Any, e: Any, x: Any, d: Any = None, **kw: Any) -> None:
    expression(n, e, x, d, cat="string", **kw)


st("concat", {"$concat": ["a", "$s", "c"]}, "abc", {"s": "b"})
st("concat null", {"$concat": ["a", "$nope"]}, None)
st("concat number is an error", {"$concat": ["a", "$n"]}, Refused(16702), {"n": 1})
st("toUpper/toLower null is ''", [{"$toUpper": None}, {"$toLower": "$nope"}, {"$toUpper": "abC"}], ["", "", "ABC"])
st("toUpper is ASCII only", {"$toUpper": "$s"}, "é A", {"s": "é a"})
st("strLenCP/Bytes", [{"$strLenCP": "$s"}, {"$strLenBytes": "$s"}], [4, 5], {"s": "café"})
st("strLenCP of null is an error", {"$strLenCP": "$nope"}, Refused(34471))
st("substrCP", [{"$substrCP": ["$s", 1, 2]}, {"$substrCP": ["$s", 10, 2]}], ["af", ""], {"s": "café"})
st("substrCP of null is ''", {"$substrCP": [None, 0, 2]}, "")
st("substr negative length = rest", {"$substr": ["$s", 2, -1]}, "fé", {"s": "café"})
st("substrBytes cutting a character is an error", {"$substrBytes": ["$s", 0, 4]}, Refused(28657), {"s": "café"})
st(
    "indexOfCP",
    [{"$indexOfCP": ["$s", "f"]}, {"$indexOfCP": ["$s", "z"]}, {"$indexOfCP": ["$nope", "a"]}],
    [2, -1, None],
    {"s": "café"},
)
st("indexOfBytes", {"$indexOfBytes": ["éa", "a"]}, 2)
st("split", {"$split": ["a-b--c", "-"]}, ["a", "b", "", "c"])
st("split null", {"$split": [None, "-"]}, None)
st("split empty delimiter error", {"$split": ["ab", ""]}, Refused(40087))
st("trim whitespace", {"$trim": {"input": " \n\t ab c \x00"}}, "ab c")
st(
    "trim chars",
    [
        {"$trim": {"input": "xxabxx", "chars": "x"}},
        {"$ltrim": {"input": "xxab", "chars": "x"}},
        {"$rtrim": {"input": "abxx", "chars": "bx"}},
    ],
    ["ab", "ab", "a"],
)
st(
    "replaceOne/All",
    [
        {"$replaceOne": {"input": "a.b.c", "find": ".", "replacement": "-"}},
        {"$replaceAll": {"input": "a.b.c", "find": ".", "replacement": "-"}},
        {"$replaceAll": {"input": None, "find": "x", "replacement": "y"}},
    ],
    ["a-b.c", "a-b-c", None],
)
st("strcasecmp", [{"$strcasecmp": ["Abc", "aBC"]}, {"$strcasecmp": ["a", "B"]}], [0, -1])
st(
    "regexMatch",
    [
        {"$regexMatch": {"input": "$s", "regex": "^CA", "options": "i"}},
        {"$regexMatch": {"input": "$nope", "regex": "x"}},
        {"$regexMatch": {"input": "$s", "regex": re.compile("É", re.IGNORECASE)}},
    ],
    [True, False, True],
    {"s": "café"},
)
st(
    "regexFind with captures",
    {"$regexFind": {"input": "$s", "regex": r"(\d+)-(\w)?"}},
    {"match": "42-", "idx": 3, "captures": ["42", None]},
    {"s": "éa:42-!"},
)
st("regexFind none is null", {"$regexFind": {"input": "abc", "regex": "z"}}, None)
st(
    "regexFindAll",
    {"$regexFindAll": {"input": "a1b22", "regex": r"\d+"}},
    [{"match": "1", "idx": 1, "captures": []}, {"match": "22", "idx": 3, "captures": []}],
)
st("regexMatch POSIX class", {"$regexMatch": {"input": "abc", "regex": "^[[:alpha:]]+$"}}, True)
st(r"regexMatch \w is ASCII", {"$regexMatch": {"input": "é", "regex": r"^\w$"}}, False)
st("regexMatch invalid regex is an error", {"$regexMatch": {"input": "abc", "regex": "("}}, Refused(51111))
st(
    "toString forms",
    [
        {"$toString": 1},
        {"$toString": 2.5},
        {"$toString": 3.0},
        {"$toString": True},
        {"$toString": "$d"},
        {"$toString": "$o"},
        {"$toString": None},
        {"$toString": "$l"},
    ],
    ["1", "2.5", "3", "true", "2018-03-26T21:56:00.000Z", "5ab9c3da31c2ab715d421285", None, "12"],
    {"d": moment(2018, 3, 26, 21, 56), "o": ObjectId("5ab9c3da31c2ab715d421285"), "l": Int64(12)},
)
st("string comparison is binary", [{"$lt": ["Z", "a"]}, {"$gt": ["é", "z"]}, {"$cmp": ["10", "9"]}], [True, True, -1])
