"""Example texts for the page that submitters read, each with what it shows."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example.

    Args:
        name: the reason or flag that it shows, or the title of what is read.
        meaning: a sentence for submitters.
        text: the text; "" where none is short enough to show.
    """

    name: str
    meaning: str
    text: str


READ: Final = (
    Example(
        name="A shell query",
        meaning="",
        text="db.orders.find({ total: { $gt: 10 } }, { _id: 0, total: 1 }).sort({ total: -1 }).limit(5)",
    ),
    Example(
        name="An aggregation, as a list or as arguments",
        meaning="",
        text="db.orders.aggregate({ $match: { year: 2020 } }, { $count: 'n' })",
    ),
    Example(
        name="The collection by index or by call",
        meaning="",
        text="db.getCollection('orders').countDocuments({ 'lines.kind': /tea/i })",
    ),
    Example(
        name="A code fence with prose around it; the last query wins",
        meaning="",
        text="First idea:\n```js\ndb.orders.find()\n```\nBetter:\n```js\ndb.orders.distinct('city')\n```",
    ),
    Example(
        name="Prose around one query",
        meaning="",
        text="The query is:\n\ndb.orders.findOne({ _id: 7 })\n\nIt finds order 7.",
    ),
    Example(
        name="Variables and spreads that hold literals",
        meaning="",
        text="const open = { open: true };\ndb.orders.find({ ...open, total: { $lt: 10 * 3 } })",
    ),
    Example(
        name="The shell's value constructors",
        meaning="",
        text="db.orders.find({ day: ISODate('2024-01-31'), n: NumberLong('5'), p: NumberDecimal('1.10') })",
    ),
    Example(
        name="Dates, on one pinned clock",
        meaning="",
        text="db.orders.find({ day: { $gte: new Date(Date.now() - 7 * 86400000) } })",
    ),
    Example(
        name="A field of each document", meaning="", text="db.orders.find({}, { city: 1 }).toArray().map(d => d.city)"
    ),
    Example(name="The number of answers", meaning="", text="db.orders.distinct('city').length"),
    Example(name="A read command", meaning="", text="db.runCommand({ count: 'orders', query: { open: true } })"),
    Example(
        name="pymongo",
        meaning="",
        text='list(db["orders"].find({"open": True}, {"_id": 0}).sort([("total", -1)]).limit(5))',
    ),
    Example(
        name="A JSON document",
        meaning="",
        text='{"collection": "orders", "pipeline": [{"$match": {"day": {"$gte": {"$date": "2024-01-31T00:00:00Z"}}}}]}',
    ),
    Example(
        name="A JSON envelope", meaning="", text='{"query": "db.orders.countDocuments({})", "explanation": "counts"}'
    ),
    Example(
        name="A shell session of the item's own database",
        meaning="",
        text="use shop;\nshop> db.orders.find({ open: true })",
    ),
)
"""What is read; a test reads each of them."""

REFUSED: Final = (
    Example(name="empty", meaning="There is nothing in the text.", text="   "),
    Example(name="not_mql", meaning="There is no MongoDB query in the text.", text="SELECT city FROM orders"),
    Example(
        name="syntax_error",
        meaning="The query is broken or cut off; nothing is repaired.",
        text="db.orders.find({ open: true",
    ),
    Example(
        name="unsupported_syntax",
        meaning="Code that would have to be run, not read.",
        text="db.orders.find({ a: `${process.env.HOME}` })",
    ),
    Example(
        name="multi_query_script",
        meaning="More than one query, or one that needs the answer of another.",
        text="db.orders.find({ id: { $in: db.products.distinct('id') } })",
    ),
    Example(
        name="no_collection",
        meaning="The text does not say which collection, and the item has more than one.",
        text='[{"$match": {"open": true}}]',
    ),
    Example(name="no_call", meaning="A collection or method is named but not called.", text="db.orders.find"),
    Example(
        name="bad_value",
        meaning="A constructor was given something that it cannot hold.",
        text="db.orders.find({ _id: ObjectId('7') })",
    ),
    Example(
        name="bad_argument", meaning="A method was given something that it does not take.", text="db.orders.distinct()"
    ),
    Example(
        name="unsupported_option",
        meaning="An option that changes the answer in a way that cannot be scored.",
        text="db.orders.aggregate([], { let: { a: 1 } })",
    ),
    Example(name="too_long", meaning="More than 200 kB of text.", text=""),
    Example(
        name="too_complex",
        meaning="Too deep, too many parts, too many stages, or a regular expression that is too long.",
        text="",
    ),
    Example(name="write_operation", meaning="A method that changes something.", text="db.orders.deleteMany({})"),
    Example(name="write_stage", meaning="A stage that writes.", text="db.orders.aggregate([{ $out: 'copy' }])"),
    Example(
        name="server_side_js", meaning="JavaScript inside the server.", text="db.orders.find({ $where: 'this.a > 1' })"
    ),
    Example(
        name="command_not_allowed",
        meaning="A command other than find, aggregate, count and distinct.",
        text="db.adminCommand({ listDatabases: 1 })",
    ),
    Example(
        name="unknown_method",
        meaning="A method that is not one of the read methods, or cannot be called there.",
        text="db.orders.find().explain()",
    ),
    Example(
        name="unknown_stage",
        meaning="A stage that is not on the list.",
        text="db.orders.aggregate([{ $collStats: {} }])",
    ),
    Example(
        name="unknown_operator",
        meaning="An operator that is not on the list.",
        text="db.orders.find({ a: { $near_by: 1 } })",
    ),
    Example(
        name="unknown_variable",
        meaning="A system variable that is not on the list.",
        text="db.orders.aggregate([{ $set: { r: '$$USER_ROLES' } }])",
    ),
    Example(
        name="bad_stage",
        meaning="A stage that is not a document with exactly one key, or has a part that it does not take.",
        text="db.orders.aggregate([{ $match: {}, $limit: 1 }])",
    ),
    Example(name="bad_key", meaning="A key that cannot be sent.", text="db.orders.distinct('$city')"),
    Example(
        name="unknown_collection",
        meaning="A collection that the item's database does not have.",
        text="db.customers.find()",
    ),
    Example(name="system_collection", meaning="A collection of the server.", text="db.system.profile.find()"),
    Example(name="bad_namespace", meaning="No name that a collection can have.", text="db['a..b'].find()"),
    Example(
        name="other_database",
        meaning="A database that is not the item's.",
        text="db.getSiblingDB('admin').users.find()",
    ),
    Example(
        name="db_level_aggregate",
        meaning="An aggregation on the whole database.",
        text="db.aggregate([{ $currentOp: {} }])",
    ),
    Example(
        name="amplification",
        meaning="An expression that makes values far larger than the data.",
        text="db.orders.aggregate([{ $set: { x: { $range: [0, 1000000000] } } }])",
    ),
)
"""Every reason for which a text is refused."""

FLAGGED: Final = (
    Example(
        name="uses_now",
        meaning="The query reads the clock; one pinned time serves gold and prediction.",
        text="db.orders.find({ day: { $lt: new Date() } })",
    ),
    Example(
        name="local_time_assumed_utc",
        meaning="A date without a zone was read as UTC.",
        text="db.orders.find({ day: new Date('2024-01-31T10:00:00') })",
    ),
    Example(
        name="duplicate_key",
        meaning="A key stands twice in a document; the last one wins, as in JavaScript.",
        text="db.orders.find({ a: 1, a: 2 })",
    ),
    Example(
        name="regex_flag_dropped",
        meaning="A flag that MongoDB does not know was left out.",
        text="db.orders.find({ city: /berlin/g })",
    ),
    Example(
        name="driver_style_options",
        meaning="The second argument of find() was read as options.",
        text="db.orders.find({}, { projection: { a: 1 }, limit: 5 })",
    ),
    Example(name="python", meaning="The text was read as Python.", text='db.orders.find_one({"a": None})'),
    Example(
        name="python_literals",
        meaning="Python's None, True or False stand in shell text.",
        text="db.orders.find({ a: None })",
    ),
    Example(
        name="nondeterministic", meaning="The answer is random.", text="db.orders.aggregate([{ $sample: { size: 3 } }])"
    ),
    Example(
        name="literal_only",
        meaning="Every value of the answer is written in the query itself.",
        text="db.orders.aggregate([{ $project: { _id: 0, n: { $literal: 42 } } }])",
    ),
)
"""Every flag that a reading or the guard gives."""
