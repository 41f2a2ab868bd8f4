"""Speed of reading and guarding query text, and how it grows with the text."""

import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import ReadingContext
from tests.bench.measurement import Measurement

CONTEXT = ReadingContext(db_id="shop", collections=("orders",), now=datetime(2024, 3, 15, 12, tzinfo=UTC))
TEXTS_A_SECOND = 2_000.0
RUNS = 5
COPIES = 100

TYPICAL = (
    'db.orders.find({ "status": "open", total: { $gte: 10.5 } }, { _id: 0, total: 1 }).sort({ total: -1 }).limit(5);',
    """db.orders.aggregate([
  { $match: { "lines.product": { $in: ["tea", "coffee"] }, day: { $gte: ISODate("2023-01-01T00:00:00Z") } } },
  { $unwind: "$lines" },
  { $lookup: { from: "products", localField: "lines.product", foreignField: "name", as: "product" } },
  { $unwind: "$product" },
  { $group: { _id: "$product.kind", sold: { $sum: { $multiply: ["$lines.count", "$lines.price"] } }, n: { $sum: 1 } } },
  { $sort: { sold: -1 } },
  { $limit: 3 },
  { $project: { _id: 0, kind: "$_id", sold: { $round: ["$sold", 2] } } }
]);
""",
    "```javascript\ndb.orders.countDocuments({ status: 'open', customer: /^A/i })\n```",
    'db.orders.distinct("customer.city", { "customer.age": { "$gt": 30 } })',
    "The query is:\n\ndb.orders.find({ year: 2020 }, { name: 1, _id: 0 })\n\nIt lists the names of 2020.",
    'list(db["orders"].find({"age": {"$gt": 20}}, {"_id": 0, "name": 1}).sort([("age", -1)]).limit(5))',
    '{"collection": "orders", "pipeline": [{"$group": {"_id": null, "n": {"$sum": 1}}}, {"$project": {"_id": 0}}]}',
    "const open = { status: 'open' };\ndb.orders.find({ ...open, total: { $lt: 10 * 3 } }).toArray();",
)


def measure() -> list[Measurement]:
    """Texts a second, and seconds and memory of the largest and the most hostile texts."""
    seconds = min(_seconds(_read_typical) for _ in range(RUNS))
    rate = len(TYPICAL) * COPIES / seconds
    return [
        Measurement(
            name=f"read and guard typical texts ({sum(map(len, TYPICAL)) // len(TYPICAL)} characters on average)",
            value=round(rate),
            unit="texts/s on one core",
            target=f"≥ {TEXTS_A_SECOND:g}",
            met=rate >= TEXTS_A_SECOND,
        ),
        _linear(),
        *(_refused(name, text) for name, text in HOSTILE.items()),
        _memory(),
    ]


def _seconds(run: Callable[[], None]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def _read_typical() -> None:
    for _ in range(COPIES):
        for text in TYPICAL:
            judge(read(text, context=CONTEXT).query, collections=None)


def _long(entries: int) -> str:
    return "db.orders.find({ $or: [" + ", ".join(f'{{ "a{n}": {n} }}' for n in range(entries)) + "] })"


def _linear() -> Measurement:
    """How the time for each character grows while a text grows eightfold."""
    short, long = _long(500), _long(4_000)
    costs = [min(_seconds(partial(_tried, text)) for _ in range(RUNS)) / len(text) for text in (short, long)]
    growth = costs[1] / costs[0]
    return Measurement(
        name=f"seconds a character of a text of {len(long):,} characters over one of {len(short):,}",
        value=round(growth, 2),
        unit="×",
        target="≤ 2",
        met=growth <= 2,
    )


HOSTILE = {
    "5 MB of blanks": " " * 5_000_000,
    "a string of 5 MB": 'db.orders.find({ a: "' + "x" * 5_000_000 + '" })',
    "20,000 levels": "db.orders.find(" + "{a:" * 20_000 + "1" + "}" * 20_000 + ")",
    "200 kB of open strings": "db.orders.find('" + "\"'" * 99_000,
    "200 kB of open regular expressions": "x" + "/[" * 99_000,
    "200 kB of tags": "<a " * 66_000,
    "200 kB of brackets that never close": "db.orders.find({a: [1\n" * 9_000,
    "200 kB of prose": "It's (nearly) the db. of \"orders\", isn't it?\n" * 4_300,
}


def _refused(name: str, text: str) -> Measurement:
    seconds = _seconds(lambda: _tried(text))
    return Measurement(name=f"refuse {name}", value=round(seconds, 3), unit="s", target="≤ 1", met=seconds <= 1)


def _tried(text: str) -> None:
    try:
        judge(read(text, context=CONTEXT).query, collections=None)
    except (UnparsableTextError, ForbiddenQueryError):
        return


def _memory() -> Measurement:
    """The most Python memory that any hostile text takes, its own characters not counted."""
    tracemalloc.start()
    for text in HOSTILE.values():
        _tried(text)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return Measurement(
        name="Python memory of the hostile texts", value=round(peak, 1), unit="MiB", target="≤ 64", met=peak <= 64
    )
