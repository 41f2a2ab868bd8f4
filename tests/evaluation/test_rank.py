"""Ranks and tie groups."""

import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.packing import verdicts_pack
from evaluation.rank import PackedEntry, RankingEntry, rank_packed, rank_results
from evaluation.stats import compare_paired
from tests.evaluation.answers import aware

START = aware(2026, 1, 1)


def entry(
    key: str,
    right: int,
    *,
    of: int = 100,
    offset: int = 0,
    soft: float | None = 0.5,
    executed: float | None = 0.9,
    days: int = 0,
    complete: bool = True,
) -> RankingEntry:
    """An entry that has `right` items right, from number `offset` on."""
    strict = {f"q{number}": offset <= number < offset + right for number in range(of)}
    return RankingEntry(
        key=key,
        strict=strict,
        soft_ex=soft,
        exec_rate=executed,
        submitted_at=START + timedelta(days=days),
        complete=complete,
    )


def ranks(*entries: RankingEntry) -> list[tuple[str, int | None]]:
    return [(ranked.key, ranked.rank) for ranked in rank_results(entries)]


def test_equal_scores_share_a_rank_and_the_next_rank_counts_them() -> None:
    assert ranks(entry("c", 40), entry("a", 50), entry("b", 50, offset=50), entry("d", 30)) == [
        ("a", 1),
        ("b", 1),
        ("c", 3),
        ("d", 4),
    ]


def test_inside_a_rank_soft_then_exec_then_time_then_key_decide_the_order() -> None:
    entries = [
        entry("late", 50, days=2),
        entry("key b", 50, days=1),
        entry("key a", 50, days=1),
        entry("soft", 50, soft=0.6, days=3),
        entry("executes", 50, executed=0.95, days=3),
        entry("none", 50, soft=None, executed=None),
    ]
    assert ranks(*entries) == [(key, 1) for key in ("soft", "executes", "key a", "key b", "late", "none")]


def test_incomplete_and_unjudged_entries_never_rank() -> None:
    result = rank_results([entry("whole", 10), entry("part", 90, complete=False), entry("nothing", 0, of=0, days=1)])
    assert [(r.key, r.rank, r.tie_group, r.leader) for r in result] == [
        ("whole", 1, 1, "whole"),
        ("part", None, None, None),
        ("nothing", None, None, None),
    ]
    assert (result[1].strict_ex, result[2].strict_ex) == (0.9, None)


def test_an_all_wrong_entry_ranks() -> None:
    assert ranks(entry("zero", 0)) == [("zero", 1)]


def test_groups_are_the_entries_not_separable_from_their_leader() -> None:
    result = rank_results([entry("first", 90), entry("near", 88), entry("far", 40), entry("last", 38)])
    assert [(r.key, r.rank, r.tie_group, r.leader) for r in result] == [
        ("first", 1, 1, "first"),
        ("near", 2, 1, "first"),
        ("far", 3, 2, "far"),
        ("last", 4, 2, "far"),
    ]
    assert result[0].p_value is None
    assert result[1].p_value is not None
    assert result[1].p_value > 0.05


def test_holm_corrects_over_all_comparisons_with_the_leader() -> None:
    """6 items alone separate two entries (p = 0.03), and no longer when there are ten comparisons."""
    leader, other = entry("leader", 56), entry("other", 50)
    assert compare_paired(leader.strict, other.strict).p_value == pytest.approx(2 / 2**6)
    assert rank_results([leader, other])[1].tie_group == 2
    crowd = [entry(f"same {number}", 56, soft=0.4) for number in range(9)]
    assert {r.tie_group for r in rank_results([leader, other, *crowd])} == {1}


def test_only_items_that_both_were_judged_on_are_compared() -> None:
    whole, half = entry("whole", 100), entry("half", 50, of=50)
    assert [r.tie_group for r in rank_results([whole, half])] == [1, 1]


def test_two_entries_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="same key"):
        rank_results([entry("a", 1), entry("a", 2)])


def test_no_entries_give_no_ranks() -> None:
    assert rank_results([]) == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 60), st.booleans()), max_size=8), st.randoms())
def test_the_order_of_entries_does_not_matter_and_ranks_follow_scores(facts: Any, chance: random.Random) -> None:
    entries = [
        entry(f"e{number}", right, offset=offset, complete=complete)
        for number, (right, offset, complete) in enumerate(facts)
    ]
    result = rank_results(entries)
    assert rank_results(random.Random(chance.random()).sample(entries, len(entries))) == result
    ranked = [(r.rank, r.strict_ex or 0.0, r.tie_group or 0) for r in result if r.rank is not None]
    for rank, strict_ex, _ in ranked:
        assert rank == 1 + sum(other > strict_ex for _, other, _ in ranked)
    groups = [group for _, _, group in ranked]
    assert groups == sorted(groups)


def packed(one: RankingEntry, *, items: list[str]) -> PackedEntry:
    return PackedEntry(
        key=one.key,
        strict=verdicts_pack([one.strict[item] for item in items]),
        soft_ex=one.soft_ex,
        exec_rate=one.exec_rate,
        submitted_at=one.submitted_at,
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 150), st.integers(0, 60)), max_size=12), st.integers(1, 150))
def test_packed_entries_are_ranked_as_the_same_entries_are(facts: list[tuple[int, int]], of: int) -> None:
    entries = [entry(f"e{number}", right, of=of, offset=offset) for number, (right, offset) in enumerate(facts)]
    items = [f"q{number}" for number in range(of)]
    assert rank_packed([packed(one, items=items) for one in entries], items=of) == rank_results(entries)


def test_packed_entries_are_refused_where_they_are_not_of_one_track() -> None:
    items = [f"q{number}" for number in range(100)]
    one = packed(entry("a", 1), items=items)
    with pytest.raises(ValueError, match="same key"):
        rank_packed([one, one], items=100)
    with pytest.raises(ValueError, match="on 60 items"):
        rank_packed([one], items=60)
