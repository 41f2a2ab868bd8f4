"""Arithmetic expressions."""

import math

from bson import Decimal128, Int64

from tests.conformance.building import expression
from tests.conformance.expectations import Number, Refused, moment

expression("add ints", {"$add": [1, 2]}, 3, cat="arith")
expression("add int+double", {"$add": [1, 2.5]}, 3.5, cat="arith")
expression("add int32 overflow -> long", {"$add": [2147483647, 1]}, Int64(2147483648), cat="arith")
expression(
    "add long overflow -> double", {"$add": ["$l", 1]}, 9.223372036854775807e18, {"l": Int64(2**63 - 1)}, cat="arith"
)
expression("add long stays long", {"$add": ["$l", 1]}, Int64(6), {"l": Int64(5)}, cat="arith")
expression("add null", {"$add": ["$m", 1]}, None, cat="arith")
expression("add date + ms", {"$add": ["$d", 86400000]}, moment(2024, 1, 2), {"d": moment(2024, 1, 1)}, cat="arith")
expression("add string is an error", {"$add": ["$s", 1]}, Refused(14, 16554, 7157723), {"s": "x"}, cat="arith")
expression("add bool is an error", {"$add": [True, 1]}, Refused(14, 16554, 7157723), cat="arith")
expression(
    "subtract dates -> long ms",
    {"$subtract": ["$d", moment(2024, 1, 1)]},
    Int64(3600000),
    {"d": moment(2024, 1, 1, 1)},
    cat="arith",
)
expression(
    "subtract date - number -> date",
    {"$subtract": ["$d", 1000]},
    moment(2023, 12, 31, 23, 59, 59),
    {"d": moment(2024, 1, 1)},
    cat="arith",
)
expression("subtract string error", {"$subtract": ["$s", 1]}, Refused(14, 16556, 7157720), {"s": "x"}, cat="arith")
expression("multiply ints overflow -> long", {"$multiply": [2147483647, 2]}, Int64(4294967294), cat="arith")
expression(
    "multiply long overflow -> double",
    {"$multiply": ["$l", 4]},
    1.8446744073709552e19,
    {"l": Int64(2**62)},
    cat="arith",
)
expression("divide always double", {"$divide": [4, 2]}, 2.0, cat="arith")
expression("divide by zero", {"$divide": [1, 0]}, Refused(2, 16608), cat="arith")
expression("divide by zero from field", {"$divide": ["$a", "$b"]}, Refused(2, 16608), {"a": 1, "b": 0}, cat="arith")
expression("divide null", {"$divide": [None, 0]}, None, cat="arith")
expression("mod ints", {"$mod": [7, 3]}, 1, cat="arith")
expression("mod negative keeps dividend sign", {"$mod": [-7, 3]}, -1, cat="arith")
expression("mod double", {"$mod": [7, 2.5]}, 2.0, cat="arith")
expression("mod by zero", {"$mod": [7, 0]}, Refused(16610), cat="arith")
expression("round half even 2.5", {"$round": [2.5, 0]}, 2.0, cat="arith")
expression("round half even 3.5", {"$round": [3.5]}, 4.0, cat="arith")
expression("round -2.5", {"$round": -2.5}, -2.0, cat="arith")
expression("round place 1 (manual)", {"$round": ["$v", 1]}, 19.2, {"v": 19.25}, cat="arith")
expression("round int stays int", {"$round": [1234, 1]}, 1234, cat="arith")
expression("round int negative place", {"$round": [1250, -2]}, 1200, cat="arith")
expression("round decimal", {"$round": ["$v", 1]}, Decimal128("2.2"), {"v": Decimal128("2.25")}, cat="arith")
expression("trunc", {"$trunc": [7.89, 1]}, 7.8, cat="arith")
expression("trunc negative place", {"$trunc": [-1234.5678, -2]}, -1200.0, cat="arith")
expression("ceil/floor of double is double", [{"$ceil": 7.2}, {"$floor": -2.8}], [8.0, -3.0], cat="arith")
expression("ceil of int is int", {"$ceil": "$v"}, 7, {"v": 7}, cat="arith")
expression("abs", [{"$abs": -5}, {"$abs": -5.5}, {"$abs": None}], [5, 5.5, None], cat="arith")
expression("pow int", {"$pow": [2, 10]}, 1024, cat="arith")
expression("pow int -> long", {"$pow": [2, 40]}, Int64(2**40), cat="arith")
expression("pow negative exponent -> double", {"$pow": [2, -1]}, 0.5, cat="arith")
expression("pow overflow -> double", {"$pow": [2, 64]}, 1.8446744073709552e19, cat="arith")
expression("sqrt", {"$sqrt": 25}, 5.0, cat="arith")
expression("sqrt negative error", {"$sqrt": -1}, Refused(28714), cat="arith")
expression("ln 0 error", {"$ln": 0}, Refused(28766), cat="arith")
expression("log, log10, exp", [{"$log": [100, 10]}, {"$log10": 1000}, {"$exp": 0}], [2.0, Number(3), 1.0], cat="arith")
expression(
    "trig",
    [{"$sin": 0}, {"$cos": 0}, {"$atan2": [1, 1]}, {"$degreesToRadians": 180}],
    [0.0, 1.0, Number(math.pi / 4), Number(math.pi)],
    cat="arith",
)
expression(
    "decimal add",
    {"$add": ["$a", "$b"]},
    Decimal128("0.3"),
    {"a": Decimal128("0.1"), "b": Decimal128("0.2")},
    cat="decimal",
)
expression("decimal + int", {"$add": ["$a", 1]}, Decimal128("1.10"), {"a": Decimal128("0.10")}, cat="decimal")
expression(
    "decimal multiply keeps exponent",
    {"$multiply": ["$a", "$b"]},
    Decimal128("3.000"),
    {"a": Decimal128("1.50"), "b": Decimal128("2.0")},
    cat="decimal",
)
expression(
    "decimal divide 34 digits",
    {"$divide": ["$a", 3]},
    Decimal128("0.3333333333333333333333333333333333"),
    {"a": Decimal128("1")},
    cat="decimal",
)
expression(
    "decimal + double -> decimal", {"$type": {"$add": ["$a", 0.5]}}, "decimal", {"a": Decimal128("1")}, cat="decimal"
)
expression(
    "decimal compare",
    [{"$eq": ["$a", 1]}, {"$lt": ["$a", Decimal128("1.01")]}, {"$cmp": ["$a", 1.0]}],
    [True, True, 0],
    {"a": Decimal128("1.00")},
    cat="decimal",
)
expression("decimal toString", {"$toString": "$a"}, "1.50", {"a": Decimal128("1.50")}, cat="decimal")
expression(
    "decimal toDouble/toInt",
    [{"$toDouble": "$a"}, {"$toInt": "$a"}],
    [1.75, 1],
    {"a": Decimal128("1.75")},
    cat="decimal",
)
expression(
    "toDecimal string / int",
    [{"$toDecimal": "1.50"}, {"$toDecimal": 7}],
    [Decimal128("1.50"), Decimal128("7")],
    cat="decimal",
)
expression(
    "decimal subtract/abs/mod",
    [{"$subtract": ["$a", "$b"]}, {"$abs": {"$subtract": ["$b", "$a"]}}, {"$mod": ["$a", "$b"]}],
    [Decimal128("2.5"), Decimal128("2.5"), Decimal128("0.5")],
    {"a": Decimal128("4.5"), "b": Decimal128("2.0")},
    cat="decimal",
)
expression(
    "decimal divide by zero",
    {"$divide": ["$a", Decimal128("0")]},
    Refused(2, 16608),
    {"a": Decimal128("1")},
    cat="decimal",
)
expression(
    "bit ops",
    [{"$bitAnd": [12, 10]}, {"$bitOr": [12, 10]}, {"$bitXor": [12, 10]}, {"$bitNot": 5}],
    [8, 14, 6, -6],
    cat="arith",
)
expression(
    "sum/avg/min/max as expressions on array",
    [{"$sum": "$v"}, {"$avg": "$v"}, {"$min": "$v"}, {"$max": "$v"}],
    [10, 2.5, 1, 4],
    {"v": [1, 2, 3, 4]},
    cat="arith",
)
expression(
    "sum of several args ignores non-numeric and nested arrays",
    {"$sum": ["$a", "$v", "$s"]},
    5,
    {"a": 5, "v": [1, 2], "s": "x"},
    cat="arith",
)
expression("stdDevPop expression", {"$stdDevPop": "$v"}, 1.118033988749895, {"v": [1, 2, 3, 4]}, cat="arith")
expression("avg of empty array is null; sum is 0", [{"$avg": "$v"}, {"$sum": "$v"}], [None, 0], {"v": []}, cat="arith")
expression(
    "percentile/median expression",
    [
        {"$median": {"input": "$v", "method": "approximate"}},
        {"$percentile": {"input": "$v", "p": [0.9], "method": "approximate"}},
    ],
    [3.0, [5.0]],
    {"v": [1, 2, 3, 4, 5]},
    cat="arith",
)
