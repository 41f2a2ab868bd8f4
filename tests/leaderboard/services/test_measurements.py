"""What evidence adds is paired item by item, and what is scored again keeps what was said and measured of its model."""

import pytest
from django.contrib.auth.models import User

from evaluation.stats import paired_gain
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.measurements import EvidenceGain, RunUsage
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Submission
from leaderboard.services.measurements import model_carry_over
from tests.leaderboard.selectors.asked import make_asked
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_gain_is_that_of_the_items_judged_in_both_conditions(ann: User, release: Release) -> None:
    submission = make_submission(ann, release)
    finish(submission, right=0.6)
    strict: dict[str, dict[str, bool]] = {condition: {} for condition in Condition}
    clusters = {}
    for score in ItemScore.objects.filter(run__submission=submission, item__set_aside="").select_related("item"):
        strict[score.run.condition][score.item.question_id] = bool(score.strict)
        clusters[score.item.question_id] = score.item.database_id
    wanted = paired_gain(strict["with_evidence"], strict["without_evidence"], clusters=clusters)
    gain = EvidenceGain.objects.get(submission=submission)
    assert gain.n == 12
    assert gain.value == pytest.approx(wanted.difference.value)
    assert gain.low == pytest.approx(wanted.difference.low)
    assert gain.high == pytest.approx(wanted.difference.high)
    assert (gain.with_only, gain.without_only) == (wanted.comparison.first_only, wanted.comparison.second_only)


def test_one_condition_alone_has_no_gain(ann: User, release: Release) -> None:
    finish(make_submission(ann, release, conditions=(Condition.WITH_EVIDENCE,)))
    assert not EvidenceGain.objects.exists()


def test_gains_of_before_are_made_up_for(ann: User, release: Release) -> None:
    finish(make_submission(ann, release, entry="old"))
    EvidenceGain.objects.all().delete()
    finish(make_submission(ann, release, entry="new"), seed=1)
    assert EvidenceGain.objects.count() == 2


def test_what_is_scored_again_keeps_its_models_facts_settings_and_usage_but_no_key(ann: User, release: Release) -> None:
    old = make_asked(ann, release)
    finish(old)
    ModelEndpoint.objects.update(key=b"still there")
    new = make_submission(ann, make_release(version="1.1"), entry="again")
    model_carry_over(old, new)
    made = Submission.objects.select_related("endpoint", "facts").get(pk=new.pk)
    assert (made.endpoint.model, made.endpoint.key, made.facts.parameters) == ("model-a", None, "7B")
    usages = RunUsage.objects.filter(run__submission=new)
    assert {(usage.run.condition, usage.prompt_tokens) for usage in usages} == {
        (condition, 240) for condition in Condition
    }
    finish(new)
    assert RunUsage.objects.filter(run__submission=new).count() == 2
