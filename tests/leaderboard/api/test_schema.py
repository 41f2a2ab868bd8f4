"""The published schema: it is made without a warning, has every endpoint once, and does not change unnoticed."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS

KEPT = Path(__file__).with_name("schema_v1.yml")

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_schema_is_valid_and_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    GENERATOR_STATS.reset()
    call_command("spectacular", "--validate", "--fail-on-warn")
    assert "openapi: 3." in capsys.readouterr().out
    assert not GENERATOR_STATS


def test_every_endpoint_is_described_once_with_its_refusals(client: Client) -> None:
    schema = client.get("/api/v1/schema/").json()
    operations = {
        operation["operationId"]: (path, verb, operation)
        for path, verbs in schema["paths"].items()
        for verb, operation in verbs.items()
    }
    assert {name: f"{verb} {path}" for name, (path, verb, _) in operations.items()} == {
        "submit": "post /api/v1/submissions",
        "submit_endpoint": "post /api/v1/endpoint-submissions",
        "submission": "get /api/v1/submissions/{submission_id}",
        "events": "get /api/v1/submissions/{submission_id}/events",
        "quota": "get /api/v1/quota",
        "items": "get /api/v1/submissions/{submission_id}/items",
        "cancel": "post /api/v1/submissions/{submission_id}/cancel",
        "validate": "post /api/v1/validate",
        "board": "get /api/v1/board",
        "compare": "get /api/v1/compare",
        "board_breakdown": "get /api/v1/board/breakdown",
        "releases": "get /api/v1/releases",
    }
    for _, _, operation in operations.values():
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"]


def test_both_forms_of_a_submission_are_described(client: Client) -> None:
    submit = client.get("/api/v1/schema/").json()["paths"]["/api/v1/submissions"]["post"]
    assert set(submit["requestBody"]["content"]) == {"multipart/form-data", "application/json"}
    assert "token" in {name for way in submit["security"] for name in way}


def test_the_schema_is_the_one_that_is_kept_so_that_no_change_goes_unnoticed(tmp_path: Path) -> None:
    """After a change that is meant, docs/contributor/working.md tells how to write it again; v1 only ever gains."""
    made = tmp_path / "schema.yml"
    call_command("spectacular", file=str(made))
    assert made.read_text() == KEPT.read_text()
