"""`aptboard bundle build`: the sample benchmark from the command line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evaluation.commands.bundle import bundle
from evaluation.embedded.document_database import DocumentDatabaseUrls

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("sample21")]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(bundle, ["build", *(str(argument) for argument in arguments)])


@pytest.fixture
def _named(document_database: DocumentDatabaseUrls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONGO_URL", document_database.reader)
    monkeypatch.setenv("MONGO_LOADER_URL", document_database.loader)


@pytest.mark.usefixtures("_named")
def test_a_database_is_checked_and_its_figures_are_told() -> None:
    done = run("sample21", "--check-only", "--database", "ledger")
    assert done.exit_code == 0, done.output
    assert "ledger: no fault." in done.stdout
    assert "with evidence" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("sample22",), "the one benchmark"),
        (("sample21", "--quick"), "needs a folder"),
    ],
    ids=["name", "folder"],
)
def test_a_wrong_call_is_refused(arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr


@pytest.mark.usefixtures("_named")
def test_a_database_that_is_not_there_is_named() -> None:
    done = run("sample21", "--check-only", "--database", "marketplace")
    assert done.exit_code == 2
    assert "marketplace: there is no such database; complete are: airport," in done.stderr
