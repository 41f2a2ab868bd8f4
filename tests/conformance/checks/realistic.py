"""Pipelines as models write them; expected values computed here."""

import random
from collections import Counter, defaultdict
from typing import Any

from bson import SON, Decimal128

from tests.conformance.building import aggregation
from tests.conformance.expectations import Number, moment

_rng = random.Random(7)
CUST: list[dict[str, Any]] = [
    {
        "_id": i,
        "name": f"Cust {i}",
        "country": ["US", "FR", "DE", "US", None][i % 5],
        "since": moment(2020 + i % 4, 1 + i % 12, 1),
    }
    for i in range(20)
]
PROD: list[dict[str, Any]] = [
    {"_id": f"P{i}", "cat": ["toy", "book", "food"][i % 3], "price": Decimal128(f"{5 + i}.50")} for i in range(9)
]
ORD: list[dict[str, Any]] = []
for _i in range(120):
    ORD.append(
        {
            "_id": _i,
            "cust": _rng.randrange(22),
            "at": moment(2023 + _i % 2, 1 + _i % 12, 1 + _i % 28, _i % 24),
            "status": ["paid", "open", "void"][_i % 3],
            "items": [{"p": f"P{_rng.randrange(9)}", "n": _rng.randrange(1, 5)} for _ in range(_rng.randrange(0, 4))],
        }
    )
RD = {"orders": ORD, "customers": CUST, "products": PROD}


def real(name: Any, coll: Any, pl: Any, exp: Any, **kw: Any) -> None:
    aggregation("realistic", name, RD, pl, exp, coll=coll, **kw)


_cn = Counter(o["cust"] for o in ORD)
real(
    "orders per customer, top 3 with names",
    "orders",
    [
        {"$group": {"_id": "$cust", "n": {"$sum": 1}}},
        {"$sort": SON([("n", -1), ("_id", 1)])},
        {"$limit": 3},
        {"$lookup": {"from": "customers", "localField": "_id", "foreignField": "_id", "as": "c"}},
        {"$project": {"n": 1, "name": {"$ifNull": [{"$arrayElemAt": ["$c.name", 0]}, "?"]}}},
    ],
    [
        {"_id": k, "n": n, "name": f"Cust {k}" if k < 20 else "?"}
        for k, n in sorted(_cn.items(), key=lambda t: (-t[1], t[0]))[:3]
    ],
)
_pp = {p["_id"]: p for p in PROD}
_rev: defaultdict[str, int] = defaultdict(int)
for o in ORD:
    if o["status"] == "paid":
        for it in o["items"]:
            _rev[_pp[it["p"]]["cat"]] += int(_pp[it["p"]]["price"].to_decimal() * 100) * it["n"]
real(
    "revenue per category (decimal)",
    "orders",
    [
        {"$match": {"status": "paid"}},
        {"$unwind": "$items"},
        {"$lookup": {"from": "products", "localField": "items.p", "foreignField": "_id", "as": "p"}},
        {"$unwind": "$p"},
        {"$group": {"_id": "$p.cat", "rev": {"$sum": {"$multiply": ["$p.price", "$items.n"]}}}},
        {"$sort": {"rev": -1}},
    ],
    [{"_id": k, "rev": Decimal128(f"{v / 100:.2f}")} for k, v in sorted(_rev.items(), key=lambda t: -t[1])],
)
_mo = Counter(o["at"].strftime("%Y-%m") for o in ORD)
real(
    "orders per month string",
    "orders",
    [
        {"$group": {"_id": {"$dateToString": {"date": "$at", "format": "%Y-%m"}}, "n": {"$sum": 1}}},
        {"$sort": {"_id": 1}},
    ],
    [{"_id": k, "n": v} for k, v in sorted(_mo.items())],
)
_tr = Counter(moment(o["at"].year, (o["at"].month - 1) // 3 * 3 + 1, 1) for o in ORD)
real(
    "orders per quarter dateTrunc",
    "orders",
    [
        {"$group": {"_id": {"$dateTrunc": {"date": "$at", "unit": "quarter"}}, "n": {"$count": {}}}},
        {"$sort": {"_id": 1}},
    ],
    [{"_id": k, "n": v} for k, v in sorted(_tr.items())],
)
real(
    "customers without orders",
    "customers",
    [
        {"$lookup": {"from": "orders", "localField": "_id", "foreignField": "cust", "as": "o"}},
        {"$match": {"o": {"$size": 0}}},
        {"$sort": {"_id": 1}},
        {"$project": {"_id": 1}},
    ],
    [{"_id": c["_id"]} for c in CUST if c["_id"] not in _cn],
)
_ic = [(o["_id"], sum(i["n"] for i in o["items"])) for o in ORD]
real(
    "order sizes with $sum over array path, top 5",
    "orders",
    [{"$project": {"t": {"$sum": "$items.n"}}}, {"$sort": SON([("t", -1), ("_id", 1)])}, {"$limit": 5}],
    [{"_id": a, "t": b} for a, b in sorted(_ic, key=lambda t: (-t[1], t[0]))[:5]],
)
_av = [len(o["items"]) for o in ORD]
real(
    "average basket",
    "orders",
    [
        {"$group": {"_id": None, "avg": {"$avg": {"$size": "$items"}}, "max": {"$max": {"$size": "$items"}}}},
        {"$project": {"_id": 0, "avg": {"$round": ["$avg", 2]}, "max": 1}},
    ],
    [{"max": max(_av), "avg": float(round(sum(_av) / len(_av), 2))}],
)
_cc = Counter(c["country"] for c in CUST)
real(
    "customers by country with percentage via facet/window",
    "customers",
    [
        {"$group": {"_id": "$country", "n": {"$sum": 1}}},
        {"$setWindowFields": {"output": {"tot": {"$sum": "$n"}}}},
        {"$project": {"n": 1, "pct": {"$multiply": [{"$divide": ["$n", "$tot"]}, 100]}}},
        {"$sort": SON([("n", -1), ("_id", 1)])},
    ],
    [
        {"_id": k, "n": n, "pct": Number(n / 20 * 100)}
        for k, n in sorted(_cc.items(), key=lambda t: (-t[1], t[0] is not None, t[0] or ""))
    ],
)
_first: dict[int, int] = {}
for o in sorted(ORD, key=lambda o: (o["at"], o["_id"])):
    _first.setdefault(o["cust"], o["_id"])
real(
    "first order of each customer via sort+group first",
    "orders",
    [
        {"$sort": SON([("at", 1), ("_id", 1)])},
        {"$group": {"_id": "$cust", "first": {"$first": "$_id"}}},
        {"$sort": {"_id": 1}},
    ],
    [{"_id": k, "first": v} for k, v in sorted(_first.items())],
)
real(
    "filter + map in project",
    "orders",
    [
        {"$match": {"_id": {"$lt": 6}}},
        {"$sort": {"_id": 1}},
        {
            "$project": {
                "big": {
                    "$map": {
                        "input": {"$filter": {"input": "$items", "as": "i", "cond": {"$gte": ["$$i.n", 3]}}},
                        "as": "i",
                        "in": "$$i.p",
                    }
                }
            }
        },
    ],
    [{"_id": o["_id"], "big": [i["p"] for i in o["items"] if i["n"] >= 3]} for o in ORD[:6]],
)
real(
    "let pipeline lookup counting paid orders",
    "customers",
    [
        {
            "$lookup": {
                "from": "orders",
                "let": {"c": "$_id"},
                "pipeline": [
                    {"$match": {"$expr": {"$and": [{"$eq": ["$cust", "$$c"]}, {"$eq": ["$status", "paid"]}]}}},
                    {"$count": "n"},
                ],
                "as": "r",
            }
        },
        {"$project": {"_id": 1, "paid": {"$ifNull": [{"$first": "$r.n"}, 0]}}},
        {"$sort": {"_id": 1}},
    ],
    [{"_id": c["_id"], "paid": sum(1 for o in ORD if o["cust"] == c["_id"] and o["status"] == "paid")} for c in CUST],
)
_rk = sorted(_cn.items(), key=lambda t: -t[1])
_ranks = {}
for k, n in _rk:
    _ranks[k] = 1 + sum(1 for v in _cn.values() if v > n)
real(
    "rank customers by order count",
    "orders",
    [
        {"$group": {"_id": "$cust", "n": {"$sum": 1}}},
        {"$setWindowFields": {"sortBy": {"n": -1}, "output": {"rank": {"$rank": {}}}}},
        {"$sort": {"_id": 1}},
    ],
    [{"_id": k, "n": _cn[k], "rank": Number(_ranks[k])} for k in sorted(_cn)],
)
