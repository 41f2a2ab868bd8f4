"""Comparing answers: its laws, and agreement with a slow matcher."""

import random
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmark_data.types import ArrayOrder
from evaluation import columns
from tests.evaluation.answers import all_leaves, few_leaves, judged, tables, verdict
from tests.evaluation.brute_force import brute_force, equal

quick = settings(max_examples=150, deadline=None)


def brute_force_agrees(gold: Any, predicted: Any) -> None:
    comparison = judged(gold, predicted)
    assert not comparison.diagnostics.undecided
    assert (comparison.strict, comparison.soft) == brute_force(gold, predicted), comparison.message


@settings(max_examples=700, deadline=None)
@given(tables(few_leaves), tables(few_leaves))
def test_it_agrees_with_a_brute_force_matcher_on_look_alike_tables(gold: Any, predicted: Any) -> None:
    brute_force_agrees(gold, predicted)


@settings(max_examples=500, deadline=None)
@given(tables(all_leaves), st.randoms(use_true_random=False))
def test_it_agrees_with_a_brute_force_matcher_on_changed_copies_of_all_types(gold: Any, chance: random.Random) -> None:
    predicted = renamed_and_shuffled(gold, chance)
    if predicted and chance.random() < 0.7:
        row = chance.choice(predicted)
        other = chance.choice(predicted)
        if row and other:
            row[chance.choice(list(row))] = other[chance.choice(list(other))]
    if chance.random() < 0.3:
        for row in predicted:
            row["extra"] = chance.choice([1, "1", None])
    brute_force_agrees(gold, predicted)


def test_it_agrees_with_a_brute_force_matcher_on_thousands_of_boolean_tables() -> None:
    chance = random.Random(20)
    soft = strict = 0
    for _ in range(3000):
        height, width = chance.randint(1, 5), chance.randint(1, 3)
        gold = [{f"g{c}": chance.random() < 0.5 for c in range(width)} for _ in range(height)]
        more = chance.randint(0, 1)
        predicted = [{f"p{c}": chance.random() < 0.5 for c in range(width + more)} for _ in range(height)]
        expected = brute_force(gold, predicted)
        assert verdict(gold, predicted) == expected
        strict, soft = strict + expected[0], soft + expected[1]
    assert min(strict, soft - strict, 3000 - soft) > 100, "the tables exercise all three verdicts"


@pytest.mark.parametrize("sparse_share", [8, 1])
@settings(max_examples=300, deadline=None)
@given(gold=tables(few_leaves), predicted=tables(few_leaves), chance=st.randoms(use_true_random=False))
def test_the_ways_for_tall_and_for_sparse_tables_agree_too(
    sparse_share: int, gold: Any, predicted: Any, chance: random.Random
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "SMALL_HEIGHT", -1)
        patch.setattr(columns, "_SPARSE_SHARE", sparse_share)
        brute_force_agrees(gold, predicted)
        brute_force_agrees(gold, renamed_and_shuffled(gold, chance))


def renamed_and_shuffled(rows: Any, chance: random.Random) -> Any:
    names = [f"c{number}" for number in range(3)] + ["x", "y"]
    others = [f"n{number}" for number in range(len(names))]
    chance.shuffle(others)
    renaming = dict(zip(names, others, strict=True))
    copied = [shuffled_fields(row, renaming, chance) for row in rows]
    chance.shuffle(copied)
    return copied


def shuffled_fields(document: Any, renaming: Any, chance: random.Random) -> Any:
    fields = list(document.items())
    chance.shuffle(fields)
    return {
        renaming[key]: shuffled_fields(value, renaming, chance) if isinstance(value, dict) and value else value
        for key, value in fields
    }


@quick
@given(tables(all_leaves))
def test_an_answer_equals_itself(rows: Any) -> None:
    assert verdict(rows, rows) == (True, True)


@quick
@given(tables(few_leaves), tables(few_leaves))
def test_strict_is_symmetric(first: Any, second: Any) -> None:
    assert judged(first, second).strict == judged(second, first).strict


@quick
@given(tables(few_leaves), tables(few_leaves))
def test_strict_implies_soft(gold: Any, predicted: Any) -> None:
    strict, soft = verdict(gold, predicted)
    assert soft or not strict


@quick
@given(tables(few_leaves), tables(few_leaves), st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_and_names_do_not_matter(gold: Any, predicted: Any, chance: random.Random) -> None:
    assert verdict(gold, renamed_and_shuffled(predicted, chance)) == verdict(gold, predicted)


@quick
@given(tables(few_leaves), st.lists(few_leaves, min_size=4, max_size=4), st.randoms(use_true_random=False))
def test_adding_columns_keeps_soft(gold: Any, cells: Any, chance: random.Random) -> None:
    # A gold of nulls only is another rule: it wants a null column or nothing at all.
    assume(any(value is not None for row in gold for value in row.values()))
    predicted = renamed_and_shuffled(gold, chance)
    wider = [{**row, "new": cell} for row, cell in zip(predicted, cells, strict=False)]
    assert judged(gold, wider).soft


full_rows = st.lists(
    st.fixed_dictionaries({name: all_leaves.filter(lambda leaf: leaf is not None) for name in "abc"}),
    min_size=1,
    max_size=4,
)


@quick
@given(full_rows, st.data())
def test_changing_one_informative_cell_flips_both(rows: Any, data: Any) -> None:
    number, name = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.sampled_from("abc"))
    changed = [dict(row) for row in rows]
    changed[number][name] = "a value that stands nowhere else"
    assert verdict(changed, rows) == (False, False)
    # In the prediction, a column identical to the changed one may stand in for it under Soft.
    twin = any(all(equal(row[name], row[other]) for row in rows) for other in "abc" if other != name)
    assert verdict(rows, changed) == (False, twin)


@quick
@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=5), st.data())
def test_the_type_of_a_number_does_not_matter(numbers: Any, data: Any) -> None:
    types = st.sampled_from((int, Int64, float, lambda n: Decimal128(str(n)), lambda n: Decimal128(f"{n}.00")))
    gold = [{"a": row[0], "b": row[1]} for row in numbers]
    predicted = [{"a": data.draw(types)(row[0]), "b": data.draw(types)(row[1])} for row in numbers]
    assert verdict(gold, predicted) == (True, True)


@quick
@given(st.permutations(range(6)), st.booleans())
def test_arrays_are_multisets_only_where_their_order_is_unspecified(order: Any, unspecified: bool) -> None:
    array_order = ArrayOrder.UNSPECIFIED if unspecified else ArrayOrder.ORDERED
    elements: list[Any] = [1, 1, [2, 3], None, {"a": 1}, "x"]
    gold, predicted = [{"t": elements}], [{"t": [elements[i] for i in order]}]
    equal = unspecified or predicted == gold
    assert verdict(gold, predicted, array_order=array_order) == (equal, equal)
    predicted[0]["t"].append(1)
    assert verdict(gold, predicted, array_order=array_order) == (False, False)
