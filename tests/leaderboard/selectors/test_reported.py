"""Reported figures are those of the paper, and stay out of every ranking."""

import pytest
from django.test import Client

from evaluation.types import Condition
from leaderboard.models.standings import Standing
from leaderboard.selectors.reported import reported


def test_the_figures_are_the_papers() -> None:
    figures = {(entry.model, entry.condition): (entry.strict_ex, entry.soft_ex) for entry in reported().entries}
    assert figures == {
        ("Opus 4.5", Condition.WITHOUT_EVIDENCE): ("38.45", "57.38"),
        ("Opus 4.5", Condition.WITH_EVIDENCE): ("50.44", "70.34"),
        ("GPT-OSS-120B", Condition.WITH_EVIDENCE): (None, "62.46"),
    }
    gain = reported().gains[0]
    assert float(gain.points) == pytest.approx(70.34 - 57.38)
    assert (reported().arxiv, reported().items) == ("2610.02770", 3186)


@pytest.mark.site
@pytest.mark.django_db
def test_they_are_shown_with_their_source_and_never_ranked(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "As reported, not run here" in page
    assert "arxiv.org/abs/2610.02770" in page
    assert not Standing.objects.exists()
    assert not any(condition["entries"] for condition in client.get("/api/v1/board").json().get("conditions", []))
