"""Descriptions of databases: kept at the import, made up for by a command, and good for the prompts of the bundle."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmark_data.load import load_bundle
from evaluation.prompts.bundles import bundle_writers
from evaluation.prompts.templates import TEMPLATES
from evaluation.prompts.types import question_of
from evaluation.types import Condition
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.releases import Release
from leaderboard.selectors.descriptions import is_described, release_questions, release_writers
from leaderboard.services.releases import release_open, release_register
from tests.leaderboard.builders import live_release

pytestmark = [pytest.mark.site, pytest.mark.django_db]

TINY = Path(__file__).resolve().parents[3] / "benchmark_data" / "bundles" / "tiny"


@pytest.fixture
def tiny() -> Release:
    """The release of the tiny bundle, imported without descriptions."""
    release = release_register(load_bundle(TINY))
    release_open(release, set_aside={})
    return release


def test_a_release_of_before_is_described_once(tiny: Release, capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_described(tiny)
    call_command("describe_release", "tiny@1", str(TINY))
    assert "3 databases were described" in capsys.readouterr().out
    assert is_described(tiny)
    kept = list(DatabaseDescription.objects.values_list("pk", "content"))
    call_command("describe_release", "tiny@1", str(TINY))
    assert "0 databases were described" in capsys.readouterr().out
    assert list(DatabaseDescription.objects.values_list("pk", "content")) == kept


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("room", [None, 1500])
def test_the_site_asks_what_the_command_line_asks(tiny: Release, template: str, room: int | None) -> None:
    call_command("describe_release", "tiny@1", str(TINY))
    bundle = load_bundle(TINY)
    offline = bundle_writers(bundle, template=TEMPLATES[template], room=room)
    questions = release_questions(tiny)
    site = release_writers(tiny, questions, template=TEMPLATES[template], room=room)
    assert site.too_large.keys() == offline.too_large.keys()
    for item in bundle.items:
        for condition in Condition:
            if item.db_id in offline.writers:
                wanted = offline.writers[item.db_id].prompt(question_of(item), condition)
                assert site.writers[item.db_id].prompt(questions[item.question_id], condition) == wanted


def test_another_bundle_is_refused(tiny: Release) -> None:
    live_release()
    with pytest.raises(CommandError, match="is not the bundle"):
        call_command("describe_release", "small@1", str(TINY))
    with pytest.raises(CommandError, match="no live release"):
        call_command("describe_release", "small@9", str(TINY))
    assert not DatabaseDescription.objects.exists()


def test_no_description_holds_gold_or_sql(tiny: Release) -> None:
    call_command("describe_release", "tiny@1", str(TINY))
    content = str(list(DatabaseDescription.objects.values_list("content", flat=True)))
    for item in load_bundle(TINY).items:
        assert item.gold_query not in content
        assert item.question not in content
