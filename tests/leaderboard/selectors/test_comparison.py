"""Entries side by side: the figures are those of the functions that rank and test, in few queries."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from pytest_django import DjangoAssertNumQueries

from evaluation.stats import Estimate, compare_paired, holm_adjusted, paired_gain
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.comparable import IncomparableError
from leaderboard.selectors.compared_items import DifferenceFilter, differing_items
from leaderboard.selectors.comparison import Comparison, comparison
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

NOBODY = AnonymousUser()


def compared(*submissions: Submission, reader: Any = NOBODY) -> Comparison:
    return comparison([str(one.pk) for one in submissions], reader=reader)


@pytest.fixture
def three(ann: User, release: Release) -> tuple[Submission, ...]:
    """Three scored entries of Ann's."""
    made = []
    for seed, (entry, right) in enumerate([("strong", 0.9), ("middle", 0.6), ("weak", 0.1)]):
        made.append(make_submission(ann, release, entry=entry))
        finish(made[-1], right=right, seed=seed)
    return tuple(made)


def strict(submission: Submission, condition: Condition) -> Mapping[str, bool]:
    rows = ItemScore.objects.filter(run__submission=submission, run__condition=condition, item__set_aside="")
    return {key: bool(value) for key, value in rows.values_list("item__question_id", "strict")}


def test_every_figure_is_that_of_the_report_and_of_the_paired_tests(three: tuple[Submission, ...]) -> None:
    databases = dict(three[0].release.items.values_list("question_id", "database__db_id"))
    found = compared(*three)
    assert [(entry.letter, entry.entry) for entry in found.entries] == [("A", "strong"), ("B", "middle"), ("C", "weak")]
    assert [each.condition for each in found.conditions] == list(Condition)
    for each in found.conditions:
        verdicts = [strict(one, each.condition) for one in three]
        pairs = [(0, 1), (0, 2), (1, 2)]
        tests = [compare_paired(verdicts[a], verdicts[b]) for a, b in pairs]
        adjusted = holm_adjusted([test.p_value for test in tests])
        for number, ((a, b), test, pair) in enumerate(zip(pairs, tests, each.pairs, strict=True)):
            assert (pair.first.place, pair.second.place) == (a, b)
            wanted = paired_gain(verdicts[a], verdicts[b], clusters=databases).difference
            varies = wanted.low != wanted.high
            assert pair.contrast.difference == (wanted if varies else Estimate(n=wanted.n, value=wanted.value))
            assert (pair.contrast.first_only, pair.contrast.second_only) == (test.first_only, test.second_only)
            assert (pair.contrast.p_value, pair.contrast.adjusted) == (test.p_value, adjusted[number])
            assert (pair.better is not None) == (adjusted[number] <= 0.05)
        for place, run in enumerate(each.runs):
            cells = {cell.name: cell for cell in (*run.report.per_database, *run.report.per_difficulty)}
            for group in (*each.per_database, *each.per_difficulty):
                assert group.entries[place].share == cells[group.name].strict_ex.value
                assert group.n == cells[group.name].n
        assert [group.name for group in each.per_difficulty] == ["simple", "moderate", "challenging"]


def test_a_comparison_costs_four_queries_whatever_its_size(
    three: tuple[Submission, ...], ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        compared(*three[:2])
    release = make_release(name="large", databases=[f"db_{number}" for number in range(8)], items_each=9)
    large = []
    for seed in range(5):
        large.append(make_submission(ann, release))
        finish(large[-1], seed=seed)
    with django_assert_num_queries(4):
        assert len(compared(*large).conditions[0].pairs) == 10


def test_a_condition_that_only_some_have_shows_those_and_names_the_others(
    three: tuple[Submission, ...], ann: User
) -> None:
    with_evidence = make_submission(ann, three[0].release, entry="half", conditions=[Condition.WITH_EVIDENCE])
    finish(with_evidence)
    found = compared(*three[:2], with_evidence)
    assert [len(each.runs) for each in found.conditions] == [3, 2]
    assert [[entry.entry for entry in each.unscored] for each in found.conditions] == [[], ["half"]]
    assert [each.condition for each in compared(three[0], with_evidence).conditions] == [Condition.WITH_EVIDENCE]


def test_entries_that_share_no_condition_are_not_compared(ann: User, release: Release) -> None:
    halves = [make_submission(ann, release, conditions=[condition]) for condition in Condition]
    for half in halves:
        finish(half)
    with pytest.raises(IncomparableError) as caught:
        compared(*halves)
    assert [fault.rule for fault in caught.value.faults] == ["no_shared_condition"]


def test_a_run_that_is_not_finished_is_not_compared(three: tuple[Submission, ...]) -> None:
    three[0].runs.filter(condition=Condition.WITHOUT_EVIDENCE).update(state=RunState.INCOMPLETE)
    found = compared(*three)
    assert [len(each.runs) for each in found.conditions] == [3, 2]


def test_items_may_be_read_by_who_may_read_those_of_every_entry(
    three: tuple[Submission, ...], ann: User, bob: User, sam: User
) -> None:
    theirs = make_submission(bob, three[0].release)
    finish(theirs)
    for reader, mine, mixed in ((NOBODY, False, False), (ann, True, False), (bob, False, False), (sam, True, True)):
        assert compared(*three, reader=reader).readable is mine
        assert compared(three[0], theirs, reader=reader).readable is mixed


def test_the_differences_can_be_narrowed_to_what_one_entry_fixed_and_another_broke(
    three: tuple[Submission, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    found = compared(*three)
    strong, middle, _ = found.entries
    for each in found.conditions:
        (pair, *_) = each.pairs
        fixed = DifferenceFilter(condition=each.condition, right=strong, wrong=middle)
        broken = DifferenceFilter(condition=each.condition, right=middle, wrong=strong)
        with django_assert_num_queries(2):
            items = differing_items(found, fixed).items
        assert len(items) == pair.contrast.first_only
        assert all(item.outcomes[0] == "correct" != item.outcomes[1] for item in items)
        assert differing_items(found, broken).total == pair.contrast.second_only
    everything = differing_items(found, DifferenceFilter())
    assert all(len({outcome == "correct" for outcome in item.outcomes}) == 2 for item in everything.items)
    heroes = differing_items(found, DifferenceFilter(database="heroes"))
    assert {item.db_id for item in heroes.items} == {"heroes"}
    assert heroes.total == sum(item.db_id == "heroes" for item in everything.items)
