"""Transformations: a cell comes back as it was, or is refused."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.docmap.transform import MISSING, CellTransform, Refused, UnreadableError, identical
from benchmark_data.docmap.types import Transform
from benchmark_data.docmap.vocabulary import BsonType, FailPolicy, NullPolicy, StorageClass

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=12),
    st.binary(max_size=6),
    st.sampled_from(["7", "007", "2014-01-02", "2014-1-2", "TRUE", "1.0", "", " 7"]),
)
TRANSFORMS = st.builds(
    Transform,
    type=st.sampled_from([None, *BsonType]),
    stored=st.sampled_from([None, *StorageClass]),
    decode=st.sampled_from([(), (("TRUE", True), ("FALSE", False)), ((1, "one"), (7, 2))]),
    format=st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%Y"]),
    null=st.sampled_from(NullPolicy),
    on_fail=st.sampled_from(FailPolicy),
)


@given(TRANSFORMS, CELLS)
@settings(max_examples=400, deadline=None)
def test_every_cell_comes_back_or_is_refused(transform: Transform, cell: Any) -> None:
    both = CellTransform(transform)
    value = both.forward(cell)
    if isinstance(value, Refused):
        assert identical(value.cell, cell)
    elif cell is not None and value is None:
        assert transform.on_fail is FailPolicy.NULL
    else:
        assert identical(both.inverse(value), cell)


CASES = [
    (Transform(type=BsonType.DATE), "2014-01-02", datetime(2014, 1, 2, tzinfo=UTC)),
    (Transform(type=BsonType.DATE, format="%d.%m.%Y"), "02.01.2014", datetime(2014, 1, 2, tzinfo=UTC)),
    (Transform(type=BsonType.DATE, stored=StorageClass.INTEGER), 86_400, datetime(1970, 1, 2, tzinfo=UTC)),
    (Transform(type=BsonType.BOOL), 1, True),
    (Transform(type=BsonType.STRING, stored=StorageClass.INTEGER), 94_203, "94203"),
    (Transform(type=BsonType.INT, stored=StorageClass.TEXT), "12", 12),
    (Transform(type=BsonType.DOUBLE, stored=StorageClass.INTEGER), 3, 3.0),
    (Transform(decode=(("T", True), ("F", False))), "F", False),
    (Transform(null=NullPolicy.OMIT), None, MISSING),
]


@pytest.mark.parametrize(("transform", "cell", "value"), CASES, ids=[str(n) for n in range(len(CASES))])
def test_a_cell_becomes_the_value_that_its_type_says(transform: Transform, cell: Any, value: Any) -> None:
    found = CellTransform(transform).forward(cell)
    assert (found, type(found)) == (value, type(value))


REFUSED = [
    (Transform(type=BsonType.DATE), "2014-1-2"),
    (Transform(type=BsonType.DATE, format="%Y-%m-%d %H:%M:%S.%f"), "2014-01-02 00:00:00.000001"),
    (Transform(type=BsonType.INT, stored=StorageClass.TEXT), "012"),
    (Transform(type=BsonType.INT), "12"),
    (Transform(type=BsonType.DOUBLE, stored=StorageClass.INTEGER), 2**53 + 1),
    (Transform(type=BsonType.BOOL), 2),
    (Transform(type=BsonType.BINARY), 2**40),
    (Transform(type=BsonType.INT, stored=StorageClass.BLOB), float(2**40)),
    (Transform(decode=(("T", True),)), "t"),
    (Transform(type=BsonType.INT, stored=StorageClass.TEXT, on_fail=FailPolicy.KEEP), 12),
]


@pytest.mark.parametrize(("transform", "cell"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_a_cell_that_would_come_back_otherwise_is_refused(transform: Transform, cell: Any) -> None:
    assert CellTransform(transform).forward(cell) == Refused(cell=cell)


def test_a_value_that_no_cell_becomes_is_unreadable() -> None:
    with pytest.raises(UnreadableError):
        CellTransform(Transform()).inverse({"a": 1})
