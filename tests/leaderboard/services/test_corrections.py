"""A correction closes the old release, keeps its scores, and scores every submission again under the new one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchmark_data.types import Bundle, Split
from evaluation.types import Condition, Outcome
from leaderboard.models.corrections import Correction, ItemCorrection
from leaderboard.models.events import EventKind
from leaderboard.models.generations import Generation, GenerationState
from leaderboard.models.notices import Notice, NoticeKind
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.own_submissions import submissions_of
from leaderboard.selectors.releases import release_page, release_summaries, releases_open
from leaderboard.selectors.submissions import submission_found, submission_view
from leaderboard.services.corrections import (
    NotACorrectionError,
    correction_open,
    rescoring_due,
    submission_rescore,
)
from leaderboard.services.events import event_record
from leaderboard.services.releases import release_open, release_register
from leaderboard.services.runs import submission_cancel
from leaderboard.services.submissions import ReleaseClosedError
from tests.leaderboard.builders import bundle, item, live_release, submission, user
from tests.leaderboard.selectors.asked import make_asked
from tests.leaderboard.selectors.records import finish
from workers.rescoring import rescore

pytestmark = [pytest.mark.site, pytest.mark.django_db]

Change = Callable[[Bundle], Bundle]


def changed_gold(old: Bundle) -> Bundle:
    first = replace(old.items[0], gold_query="db.things.find({name: 'other'})")
    return replace(old, items=(first, *old.items[1:]))


def next_release(change: Change = changed_gold, *, version: str = "2") -> Release:
    return release_register(change(bundle(version=version)))


def corrected(old: Release, change: Change = changed_gold, **options: object) -> Correction:
    return correction_open(
        old, next_release(change), set_aside={}, reasons={"q0": "It asked for the wrong name."}, reason="General."
    )


def test_a_correction_names_what_was_changed_and_why() -> None:
    old = live_release()

    def change(content: Bundle) -> Bundle:
        items = list(changed_gold(content).items)
        items[1] = replace(items[1], evidence="Another thing.")
        return replace(content, items=tuple(items))

    correction = corrected(old, change)
    rows = ItemCorrection.objects.filter(correction=correction).values_list("question_id", "changes", "reason")
    assert list(rows) == [("q0", ["gold_query"], "It asked for the wrong name."), ("q1", ["evidence"], "General.")]
    page = release_page("small@2")
    assert page is not None
    assert [each.question_id for each in page.corrected] == ["q0", "q1"]
    assert {each.label: (each.corrects, each.corrected_by) for each in release_summaries()} == {
        "small@2": ("small@1", ""),
        "small@1": ("", "small@2"),
    }


def test_a_corrected_release_stays_readable_and_takes_no_submission() -> None:
    old = live_release()
    corrected(old)
    with pytest.raises(ReleaseClosedError, match="small@1 was corrected: submit to small@2"):
        submission(old)
    assert [str(release) for release in releases_open()] == ["small@2"]
    assert release_page("small@1") is not None


def removed(old: Bundle) -> Bundle:
    return replace(old, items=old.items[1:])


def set_aside_database(old: Bundle) -> Bundle:
    left, right = old.databases
    return replace(old, databases=(replace(left, digest="f" * 64), right))


@pytest.mark.parametrize(
    ("change", "changes"),
    [
        (removed, {"q0": ["removed"]}),
        (set_aside_database, {"q0": ["database_content"], "q2": ["database_content"]}),
    ],
    ids=["an item less", "other documents"],
)
def test_what_else_a_correction_may_change(change: Change, changes: dict[str, list[str]]) -> None:
    corrected(live_release(), change)
    assert dict(ItemCorrection.objects.values_list("question_id", "changes")) == changes


def added(old: Bundle) -> Bundle:
    return replace(old, items=(*old.items, item("q9", "left")))


def asked_otherwise(old: Bundle) -> Bundle:
    return replace(old, items=(replace(old.items[0], question="What else?"), *old.items[1:]))


def moved(old: Bundle) -> Bundle:
    return replace(old, items=(replace(old.items[0], db_id="right"), *old.items[1:]))


def nothing(old: Bundle) -> Bundle:
    return old


def all_of_these(old: Bundle) -> Bundle:
    items = [replace(each, question="What else?") for each in old.items]
    return added(replace(old, items=(replace(items[0], db_id="right"), *items[1:])))


def test_all_that_is_wrong_with_a_correction_is_told_at_once() -> None:
    with pytest.raises(NotACorrectionError) as told:
        corrected(live_release(), all_of_these)
    assert str(told.value).splitlines() == [
        "Nobody was asked 1 of the items (q9): that is a new release.",
        "The question of 4 items (q0, q1, q2, q3) is another, so old predictions do not answer them: that is a "
        "new release.",
        "The database of 1 items (q0) is another, so old predictions do not answer them: that is a new release.",
    ]


def test_no_chain_of_corrections_comes_back_to_itself() -> None:
    """Else each submission would be scored again for ever, once around the circle after the other."""
    first = live_release()
    second = corrected(first).new
    third = next_release(removed, version="3")
    correction_open(second, third, set_aside={}, reasons={}, reason="x")
    for earlier in (first, second, third):
        with pytest.raises(NotACorrectionError, match=r"small@3 is small@. itself, or a correction of it"):
            correction_open(third, earlier, set_aside={}, reasons={}, reason="x")
    assert Correction.objects.count() == 2


def test_a_release_corrects_one_release_only() -> None:
    first, other = live_release(), live_release(version="0")
    second = corrected(first).new
    with pytest.raises(NotACorrectionError, match="small@2 corrects small@1 already"):
        correction_open(other, second, set_aside={}, reasons={}, reason="x")


@pytest.mark.parametrize("change", [added, asked_otherwise, moved, nothing])
def test_what_asks_another_question_is_no_correction(change: Change) -> None:
    old = live_release()
    with pytest.raises(NotACorrectionError):
        corrected(old, change)
    assert not Correction.objects.exists()
    assert not Release.objects.get(version="2").live_at


def test_a_release_is_corrected_once_and_by_the_same_benchmark() -> None:
    old = live_release()
    first = corrected(old)
    assert correction_open(old, first.new, set_aside={}, reasons={}, reason="x") == first
    with pytest.raises(NotACorrectionError, match="is corrected by small@2 already"):
        correction_open(old, next_release(version="3"), set_aside={}, reasons={}, reason="x")
    other = release_register(bundle(name="other"))
    with pytest.raises(NotACorrectionError, match="no live release of the same benchmark"):
        correction_open(first.new, other, set_aside={}, reasons={}, reason="x")


@pytest.fixture
def scored() -> Submission:
    made = submission(
        live_release(), texts={f"q{n}": "db.things.find()" for n in range(4)}, conditions=tuple(Condition)
    )
    finish(made, right=1.0)
    return made


def test_every_submission_is_scored_again_from_its_stored_predictions_and_its_old_scores_stay(
    scored: Submission,
) -> None:
    before = list(ItemScore.objects.order_by("pk").values())
    standings = list(Standing.objects.order_by("pk").values())
    corrected(scored.release)
    assert rescoring_due() == [scored]
    rescore()
    made = Submission.objects.get(rescored_from=scored)
    assert str(made.release) == "small@2"
    assert (made.owner, made.entry, made.file_sha256) == (scored.owner, scored.entry, scored.file_sha256)
    assert made.created_at == scored.created_at
    assert list(made.predictions.values_list("item__question_id", "condition", "text").order_by("pk")) == list(
        scored.predictions.values_list("item__question_id", "condition", "text").order_by("pk")
    )
    assert set(made.predictions.values_list("item__release", flat=True)) == {made.release_id}
    assert sorted(made.runs.values_list("condition", "state", "background")) == [
        ("with_evidence", "queued", True),
        ("without_evidence", "queued", True),
    ]
    # Thousands of such runs may take days; their owners are not to be told of a fault of ours meanwhile.
    assert all(run.deadline > timezone.now() + timedelta(days=13) for run in made.runs.all())
    assert list(ItemScore.objects.order_by("pk").values()) == before
    assert list(Standing.objects.order_by("pk").values()) == standings
    assert QuotaEntry.objects.count() == 1, "scoring again costs no quota"
    assert rescoring_due() == []


def test_scoring_again_happens_once_however_often_it_is_asked_for(scored: Submission) -> None:
    corrected(scored.release)
    stale = submission_found(scored.pk)
    assert stale is not None
    assert submission_rescore(scored) is not None
    assert submission_rescore(stale) is None
    rescore()
    assert Submission.objects.count() == 2
    assert Run.objects.count() == 4


def test_what_its_owner_cancelled_is_not_scored_again() -> None:
    release = live_release()
    gone, half = submission(release), submission(release, conditions=tuple(Condition))
    submission_cancel(gone)
    half.runs.filter(condition=Condition.WITH_EVIDENCE).update(state="cancelled")
    corrected(release)
    rescore()
    made = Submission.objects.get(rescored_from__isnull=False)
    assert made.rescored_from == half
    assert list(made.runs.values_list("condition", flat=True)) == [Condition.WITHOUT_EVIDENCE]
    assert set(made.predictions.values_list("condition", flat=True)) == {Condition.WITHOUT_EVIDENCE}


def test_a_submission_whose_model_is_still_asked_waits_for_its_predictions() -> None:
    release = live_release()
    asked = submission(release)
    asked.runs.update(state="generating")
    corrected(release)
    rescore()
    assert not Submission.objects.filter(rescored_from=asked).exists()
    asked.runs.update(state="scoring")
    rescore()
    assert Submission.objects.filter(rescored_from=asked).exists()


def test_a_model_that_did_not_answer_yet_is_waited_for_and_one_that_refused_is_not_scored_as_silent(
    scored: Submission, ann: User
) -> None:
    release = scored.release
    waits = make_asked(ann, release, entry="Waits", state=RunState.GENERATING)
    waits.runs.update(state=RunState.INCOMPLETE)
    refused = make_asked(ann, release, entry="Refused", state=RunState.FAILED)
    Generation.objects.filter(run__submission=refused).update(refused=True, prompts_digest="")
    half = make_asked(ann, release, entry="Half", state=RunState.FAILED)
    Generation.objects.filter(run=half.runs.get(condition=Condition.WITH_EVIDENCE)).update(prompts_digest="")
    corrected(release)
    rescore()
    made = Run.objects.filter(submission__rescored_from__isnull=False).exclude(submission__rescored_from=scored)
    assert list(made.values_list("submission__entry", "condition")) == [("Half", Condition.WITHOUT_EVIDENCE)]
    Generation.objects.filter(run__submission=waits).update(state=GenerationState.DONE, prompts_digest="cd")
    rescore()
    assert Submission.objects.filter(rescored_from=waits).exists()
    assert not Submission.objects.filter(rescored_from=refused).exists()


def test_predictions_of_removed_items_are_left_behind(scored: Submission) -> None:
    corrected(scored.release, removed)
    rescore()
    made = Submission.objects.get(rescored_from=scored)
    assert made.predictions.count() == 6
    assert not made.predictions.filter(item__question_id="q0").exists()


def test_a_correction_of_a_correction_takes_the_same_way(scored: Submission) -> None:
    second = corrected(scored.release).new
    rescore()

    def again(content: Bundle) -> Bundle:
        return removed(changed_gold(content))

    correction_open(second, next_release(again, version="3"), set_aside={}, reasons={}, reason="Once more.")
    rescore()
    chain = list(
        Submission.objects.order_by("release__pk").values_list("release__version", "rescored_from__release__version")
    )
    assert chain == [("1", None), ("2", "1"), ("3", "2")]


def test_an_entrys_page_shows_what_changed_and_why(scored: Submission) -> None:
    corrected(scored.release)
    rescore()
    made = Submission.objects.select_related("release", "owner").get(rescored_from=scored)
    finish(made, right=0.0)
    view = submission_view(made, reader=scored.owner)
    assert view.rescoring is not None
    assert (view.rescoring.before.release, view.rescoring.before.submission) == ("small@1", scored.pk)
    assert {(f.before, f.after, f.difference) for f in view.rescoring.figures} == {(1.0, 0.0, -1.0)}
    (changed,) = view.rescoring.items
    assert (changed.question_id, changed.changes, changed.reason) == (
        "q0",
        ("gold_query",),
        "It asked for the wrong name.",
    )
    assert [(o.before, o.moved) for o in changed.outcomes] == [(Outcome.CORRECT, True)] * 2
    stranger = submission_view(made, reader=user("bob")).rescoring
    assert stranger is not None
    assert stranger.figures == view.rescoring.figures
    assert stranger.items[0].outcomes == ()
    old = submission_view(scored, reader=user("bob"))
    assert old.rescored_as is not None
    assert (old.rescored_as.submission, old.rescored_as.release) == (made.pk, "small@2")


def other_evidence(old: Bundle) -> Bundle:
    return replace(old, items=(replace(old.items[0], evidence="Another thing."), *old.items[1:]))


@pytest.mark.parametrize(
    ("change", "told", "not_told"),
    [
        (other_evidence, "1 item has other evidence now", "other documents now"),
        (set_aside_database, "2 items have other documents now", "other evidence now"),
        (changed_gold, "They were scored again as they are", "The model was not asked again"),
    ],
)
def test_readers_are_told_what_the_model_had_not_seen(
    scored: Submission, client: Client, change: Change, told: str, not_told: str
) -> None:
    corrected(scored.release, change)
    rescore()
    made = Submission.objects.get(rescored_from=scored)
    finish(made)
    page = client.get(f"/submissions/{made.pk}/").content.decode()
    assert told in page
    assert not_told not in page
    release = client.get("/releases/small@2/").content.decode()
    assert ("where the evidence was corrected (1 item)" in release) == (change is other_evidence)


def test_a_difference_that_is_not_the_corrections_alone_is_told(scored: Submission, client: Client) -> None:
    corrected(scored.release)
    rescore()
    made = Submission.objects.get(rescored_from=scored)
    finish(made)
    words = "The difference is not the correction's alone"
    assert words not in client.get(f"/submissions/{made.pk}/").content.decode()
    Run.objects.filter(submission=made).update(scorer="aptboard 0.2.0 (new)")
    page = client.get(f"/submissions/{made.pk}/").content.decode()
    assert words in page
    assert "now, aptboard 0.2.0 (new) on " in page


def test_the_list_of_ones_own_has_the_last_version_only(scored: Submission) -> None:
    corrected(scored.release)
    rescore()
    assert [str(each.release) for each in submissions_of(scored.owner)] == ["small@2"]


def test_what_changed_is_read_in_the_same_queries_however_many_items(
    scored: Submission, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def all_of_them(content: Bundle) -> Bundle:
        return replace(content, items=tuple(replace(each, evidence="New.") for each in content.items))

    corrected(scored.release, all_of_them)
    rescore()
    made = Submission.objects.select_related("release", "owner").get(rescored_from=scored)
    finish(made)
    with django_assert_max_num_queries(12):
        view = submission_view(made, reader=scored.owner)
    assert view.rescoring is not None
    assert len(view.rescoring.items) == 4


def test_items_of_hidden_gold_are_named_but_never_quoted(scored: Submission) -> None:
    def hidden(content: Bundle) -> Bundle:
        last = replace(content.items[-1], gold_query="db.things.find({name: 'canary_new'})")
        assert last.split is Split.HIDDEN
        return replace(content, items=(*content.items[:-1], last))

    corrected(scored.release, hidden)
    assert "canary" not in str(list(ItemCorrection.objects.values()))


def test_the_owner_is_told_when_an_entry_was_scored_again(scored: Submission, ann: User) -> None:
    corrected(scored.release)
    rescore()
    made = Submission.objects.select_related("release").get(rescored_from=scored)
    finish(made)
    run = made.runs.first()
    assert run is not None
    event_record(run.pk, kind=EventKind.FINISHED)
    assert Notice.objects.filter(kind=NoticeKind.RESCORED, title__contains="was scored again on small@2").count() == 1


def test_a_release_that_is_live_already_can_become_a_correction() -> None:
    old, new = live_release(), next_release()
    release_open(new, set_aside={})
    correction_open(old, new, set_aside={}, reasons={}, reason="x")
    assert [str(release) for release in releases_open()] == ["small@2"]
