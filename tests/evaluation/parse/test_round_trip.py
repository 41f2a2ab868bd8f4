"""Any query, written in any style that is read, is read as the same query."""

from datetime import UTC, datetime
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.regex import Regex
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.canonical import canonical
from evaluation.parse.read import read
from evaluation.types import Operation, Query
from tests.evaluation.parse.reading import context
from tests.evaluation.parse.rendering import STYLES

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,6}(\.[a-z]{1,3})?", fullmatch=True)
KEYS = NAMES | TEXT.filter(lambda key: key != "" and key[0] != "$" and not key.isdigit() and key != "__proto__")
DATES = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1)).map(  # noqa: DTZ001
    lambda date: date.replace(microsecond=date.microsecond // 1000 * 1000, tzinfo=UTC)
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**31 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer())
    | TEXT
    | DATES
    | st.binary(min_size=12, max_size=12).map(ObjectId)
    | st.integers(-(2**63), 2**63 - 1).map(Int64)
    | st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000).map(
        lambda number: Decimal128(str(number))
    )
    | st.builds(Regex, st.sampled_from(["^a", "b/c", "d\\d+"]), st.sampled_from(["", "i"]))
)
OPERATORS = st.sampled_from(["$gt", "$lte", "$in", "$exists", "$regex", "$elemMatch"])
VALUES = st.recursive(
    SCALARS,
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(KEYS, inside, max_size=3)
        | st.dictionaries(OPERATORS, inside, min_size=1, max_size=2)
    ),
    max_leaves=8,
)
FILTERS = st.dictionaries(KEYS, VALUES, max_size=3)
STAGES = st.sampled_from(["$match", "$project", "$group", "$addFields"]).flatmap(
    lambda name: FILTERS.map(lambda value: {name: value})
)
SORTS = st.dictionaries(NAMES, st.sampled_from([1, -1]), min_size=1, max_size=3)


def reason_of(text: str) -> str:
    """Why a text is refused, or "read"; any other error is a crash."""
    try:
        read(text, context=context(collections=("t",)))
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return error.reason
    return "read"


@st.composite
def queries(draw: st.DrawFn) -> Query:
    operation = draw(st.sampled_from([each for each in Operation if each is not Operation.ESTIMATED_DOCUMENT_COUNT]))
    arguments: dict[str, Any] = {}
    if operation is Operation.AGGREGATE:
        arguments["pipeline"] = draw(st.lists(STAGES, max_size=3))
    else:
        arguments |= {"key": draw(NAMES)} if operation is Operation.DISTINCT else {}
        arguments["filter"] = draw(FILTERS)
    if operation is Operation.FIND:
        arguments |= {"projection": {"a": 1, "_id": 0}} if draw(st.booleans()) else {}
        arguments |= {"sort": draw(SORTS)} if draw(st.booleans()) else {}
        arguments |= {"skip": 2, "limit": draw(st.integers(1, 99))} if draw(st.booleans()) else {}
    return Query(collection=draw(NAMES), operation=operation, arguments=arguments)


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=40, deadline=None)
@given(query=queries())
def test_a_query_in_any_style_is_read_as_the_same_query(style: str, query: Query) -> None:
    text = STYLES[style](query)
    assert canonical(read(text, context=context()).query) == canonical(query), text


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=10, deadline=None)
@given(query=queries(), share=st.floats(0, 1))
def test_any_prefix_of_a_text_is_read_or_refused_and_never_crashes(style: str, query: Query, share: float) -> None:
    text = STYLES[style](query)
    assert reason_of(text[: int(len(text) * share)]) != ""


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=60) | st.text("db.tfind(){}[]$'\"`/\\:,;=>\n a1", max_size=60))
def test_any_text_at_all_is_read_or_refused_and_never_crashes(text: str) -> None:
    assert reason_of(text) != ""


def test_every_prefix_of_a_long_text_is_read_or_refused() -> None:
    text = (
        "Here:\n```js\nconst p = [{ $match: { a: /x\\/[y]/i, 'b': `c` } }]; // é\n"
        "db.t.aggregate([...p, { $limit: 0x1 }]).toArray().map(d => d.x)\n```\n"
    )
    reasons = [reason_of(text[:end]) for end in range(len(text))]
    assert "" not in reasons
    assert reasons.count("read") < 40
