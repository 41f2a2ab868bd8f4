"""Public and hidden gold are drawn by a rule that every database and difficulty follows."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.bundles.sample21.splits import splits
from benchmark_data.types import Difficulty, Split

RATINGS = (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)


@st.composite
def rated_items(draw: st.DrawFn) -> dict[int, Difficulty]:
    """Items like those of a database: at least two of each difficulty."""
    counts = [draw(st.integers(2, 20)) for _ in RATINGS]
    ratings = [rating for rating, count in zip(RATINGS, counts, strict=True) for _ in range(count)]
    return dict(enumerate(draw(st.permutations(ratings)), start=1))


@given(rated=rated_items(), db_id=st.text("abc", min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_three_of_five_items_are_public_and_both_splits_have_every_difficulty(
    rated: dict[int, Difficulty], db_id: str
) -> None:
    found = splits(db_id, rated)
    assert found.keys() == rated.keys()
    public = [number for number, split in found.items() if split is Split.PUBLIC]
    assert abs(len(public) - 0.6 * len(rated)) <= 1
    for rating in RATINGS:
        assert {found[number] for number in rated if rated[number] is rating} == set(Split)


@given(rated=rated_items())
@settings(max_examples=20, deadline=None)
def test_the_draw_depends_on_the_database_and_on_nothing_else(rated: dict[int, Difficulty]) -> None:
    turned = dict(reversed(rated.items()))
    assert splits("market", rated) == splits("market", turned)


def test_other_databases_draw_otherwise() -> None:
    rated = dict.fromkeys(range(1, 21), Difficulty.SIMPLE)
    drawn = {tuple(sorted(splits(f"db{number}", rated).items())) for number in range(10)}
    assert len(drawn) > 5


def test_twenty_items_of_the_usual_kinds_give_twelve_public_ones() -> None:
    rated = {n: RATINGS[0] if n <= 12 else RATINGS[1] if n <= 18 else RATINGS[2] for n in range(1, 21)}
    found = splits("market", rated)
    public = [rated[number] for number, split in found.items() if split is Split.PUBLIC]
    assert [public.count(rating) for rating in RATINGS] == [7, 4, 1]
    assert math.isclose(len(public) / len(rated), 0.6)
