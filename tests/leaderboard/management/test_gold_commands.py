"""`verify_gold` proves a release and names its ambiguous gold; `correct_gold` makes, proves and opens a correction."""

import io
import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from benchmark_data.load import load_bundle
from benchmark_data.seal import write_manifest
from benchmark_data.types import Bundle, Difficulty, Item, Split
from benchmark_data.write import CollectionSource, DatabaseSource, Header, write_bundle
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.gold_check import FindingKind
from leaderboard.models.corrections import Correction
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.releases import GoldAnswer, Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.gold_checks import gold_check_view
from leaderboard.services.releases import TrackInUseError, release_open
from tests.leaderboard.builders import submission
from workers import scoring
from workers.rescoring import rescore

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.django_db]

CANARY = "canary_of_hidden_gold"
GOLDS = {
    "1": "db.boats.countDocuments({tons: 7})",
    "2": "db.boats.find({}, {_id: 0, name: 1}).sort({tons: 1}).limit(1)",
    "3": f'db.boats.find({{name: "{CANARY}"}}, {{_id: 0, name: 1}}).limit(1)',
}


@pytest.fixture(autouse=True)
def _urls(document_database: DocumentDatabaseUrls) -> Iterator[None]:
    scoring.executor.cache_clear()
    scoring.golds.cache_clear()
    urls = {"MONGO_URL": document_database.reader, "MONGO_LOADER_URL": document_database.loader}
    with override_settings(**urls, DEMO_ENGINE=True):
        yield
    scoring.executor.cache_clear()
    scoring.golds.cache_clear()


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """Boats of which two weigh the same; its content is that of no other test."""
    documents = [{"_id": n, "name": name, "tons": 7} for n, name in enumerate(("Ida", "Bo", CANARY))]
    boats = CollectionSource(name="boats", documents=(*documents, {"_id": 9, "name": uuid.uuid4().hex, "tons": 9}))
    return write_bundle(
        tmp_path / "b",
        header=Header(name="boats", version="1", title="Boats", license="MIT"),
        databases=(DatabaseSource(db_id="lake", collections=(boats,)),),
        items=tuple(item(question_id, gold) for question_id, gold in GOLDS.items()),
    )


def item(question_id: str, gold: str) -> Item:
    return Item(
        question_id=question_id,
        db_id="lake",
        question="Which boats?",
        evidence="",
        difficulty=Difficulty.SIMPLE,
        split=Split.HIDDEN if CANARY in gold else Split.PUBLIC,
        gold_query=gold,
    )


def told(command: str, *arguments: str | Path) -> str:
    out = io.StringIO()
    call_command(command, *map(str, arguments), stdout=out)
    return out.getvalue()


def test_a_release_goes_live_with_its_gold_proved_and_its_ambiguous_gold_named(bundle: Bundle, client: Client) -> None:
    said = told("import_bundle", bundle.root)
    assert "Gold against gold: 1.0000 (3 of 3 items, twice)." in said
    assert "ambiguous: item 2: documents in another order give another answer" in said
    check = GoldCheck.objects.get()
    assert (check.items, check.equal) == (3, 3)
    assert [(found.item.question_id, found.kind) for found in GoldFinding.objects.select_related("item")] == [
        ("2", FindingKind.AMBIGUOUS)
    ]
    view = gold_check_view(Release.objects.get())
    assert view is not None
    assert (view.share, view.ambiguous, [found.question_id for found in view.found]) == (1.0, 1, ["2"])
    page = client.get("/releases/boats@1/").content.decode()
    assert "1.0000" in page
    assert "ambiguous: ties or a first one are cut by the order of documents" in page


def test_a_second_import_checks_nothing_again_and_verify_gold_does(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    assert "Gold against gold" not in told("import_bundle", bundle.root)
    said = told("verify_gold", "boats@1", "--seed", "5")
    assert "boats@1: gold against gold 1.0000 (3 of 3 items, twice)" in said
    assert "ambiguous: 1" in said
    assert GoldCheck.objects.count() == 2


def test_a_check_of_fewer_items_than_the_track_has_is_no_proof_of_all(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    GoldCheck.objects.update(items=2, equal=2)
    assert "Gold against gold: 1.0000 (3 of 3 items, twice)." in told("import_bundle", bundle.root)


def test_gold_that_answers_otherwise_keeps_a_release_closed_and_is_told(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("import_bundle", bundle.root)
    other = GoldAnswer.objects.get(item__question_id="2")
    GoldAnswer.objects.filter(item__question_id="1").update(content=bytes(other.content or b""))
    with pytest.raises(CommandError, match=r"gold against gold 0\.6667 \(2 of 3 items, twice\)"):
        told("verify_gold")
    Release.objects.update(live_at=None)
    with pytest.raises(
        CommandError, match="The gold of 1 of 3 items cannot score 1 on this engine; boats@1 stays closed"
    ):
        told("import_bundle", bundle.root)
    assert "boats@1 is live: 2 items count, 1 set aside." in told(
        "import_bundle", bundle.root, "--set-aside-broken-gold"
    )


def test_no_item_is_taken_out_of_a_track_that_has_entries(bundle: Bundle) -> None:
    """Their reports would count other items than those of entries that come later."""
    told("import_bundle", bundle.root)
    release = Release.objects.get()
    submission(release, texts=GOLDS)
    with pytest.raises(TrackInUseError, match=r"Take items out of it \(1\) by a correction"):
        release_open(release, set_aside={"1": "it fails"})
    assert not release.items.exclude(set_aside="").exists()


def test_a_release_with_an_item_set_aside_is_imported_again_without_a_word(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    Release.objects.get().items.filter(question_id="1").update(set_aside="it fails")
    GoldAnswer.objects.filter(item__question_id="1").update(content=None, failure="it fails")
    assert "boats@1 is live: 2 items count, 1 set aside." in told("import_bundle", bundle.root)


def test_gold_without_an_answer_is_no_gold(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    GoldAnswer.objects.filter(item__question_id="3").update(content=None, failure="too slow")
    with pytest.raises(CommandError, match=r"0\.6667 \(2 of 3 items"):
        told("verify_gold")


def test_hidden_gold_is_in_no_word_of_a_check(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    wrong = GoldAnswer.objects.get(item__question_id="2")
    GoldAnswer.objects.filter(item__question_id="3").update(content=bytes(wrong.content or b""))
    out = io.StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("verify_gold", stdout=out)
    finding = GoldFinding.objects.get(item__question_id="3", kind=FindingKind.UNEQUAL)
    lines = [line for line in out.getvalue().splitlines() if "item 3" in line]
    assert lines
    for words in (*lines, str(refused.value), finding.detail):
        assert CANARY not in words


@pytest.mark.parametrize("command", ["verify_gold", "import_bundle", "rejudge"])
def test_an_engine_that_is_away_is_told_in_a_sentence(bundle: Bundle, command: str) -> None:
    told("import_bundle", bundle.root)
    arguments = (bundle.root,) if command == "import_bundle" else ()
    away = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100"
    with override_settings(MONGO_URL=away, MONGO_LOADER_URL=away), pytest.raises(CommandError) as refused:
        told(command, *arguments)
    assert "Try again later." in str(refused.value)
    assert refused.value.returncode == 4


def test_a_release_that_is_not_there_is_told() -> None:
    with pytest.raises(CommandError, match="There is no live release nothing@1"):
        told("verify_gold", "nothing@1")


def corrections(folder: Path, **changes: str) -> Path:
    path = folder / "corrections.jsonl"
    line = {"question_id": "1", "gold_query": "db.boats.countDocuments({})", "reason": "All boats were meant."}
    path.write_text(json.dumps(line | changes))
    return path


def work() -> None:
    while scoring.score_next():
        pass


def test_a_corrected_release_is_proved_opened_and_every_entry_scored_again(
    bundle: Bundle, tmp_path: Path, client: Client
) -> None:
    told("import_bundle", bundle.root)
    old = submission(Release.objects.get(), texts=GOLDS)
    work()
    assert old.runs.get().state == RunState.FINISHED
    said = told("correct_gold", bundle.root, corrections(tmp_path), "--to", "2", "--out", tmp_path / "new")
    assert "It corrects 1 items of boats@1" in said
    assert "boats@2 is live: 3 items count." in said
    assert load_bundle(tmp_path / "new").version == "2"
    rescore()
    work()
    new = Run.objects.get(submission__rescored_from=old)
    assert new.state == RunState.FINISHED
    assert new.report is not None
    assert new.report["strict_ex"]["value"] == pytest.approx(2 / 3)
    kept = old.runs.get()
    assert kept.report is not None
    assert kept.report["strict_ex"]["value"] == 1.0
    assert ItemScore.objects.filter(run=new, item__question_id="1", strict=False).exists()
    page = client.get(f"/submissions/{new.submission_id}/").content.decode()
    for words in ("Scored again", "All boats were meant.", "−33.33", "boats@1"):
        assert words in page
    assert "scored again" in client.get(f"/submissions/{old.pk}/").content.decode()
    assert "This board is kept as it was" in client.get("/?release=boats@1").content.decode()
    api = client.get("/api/v1/board?release=boats@1").json()
    assert api["conditions"][0]["entries"][0]["strict_ex"] == 1.0
    api = client.get("/api/v1/board").json()
    assert (api["release"], api["conditions"][0]["entries"][0]["submission"]) == ("boats@2", str(new.submission_id))


def test_a_faulty_correction_changes_nothing(bundle: Bundle, tmp_path: Path) -> None:
    told("import_bundle", bundle.root)
    path = corrections(tmp_path, gold_query="db.boats.drop()")
    with pytest.raises(CommandError, match=r"Nothing was corrected, 1 faults:\ncorrections.jsonl:1: gold_query"):
        told("correct_gold", bundle.root, path, "--to", "2", "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert not Correction.objects.exists()


def test_a_bundle_that_is_not_the_live_release_is_not_corrected(bundle: Bundle, tmp_path: Path) -> None:
    """A folder that was edited meanwhile would bring its other changes along without a reason."""
    told("import_bundle", bundle.root)
    arguments = ("correct_gold", bundle.root, corrections(tmp_path), "--to", "2", "--out", tmp_path / "new")
    Release.objects.update(digest="0" * 64)
    with pytest.raises(CommandError, match="This bundle is not the content of boats@1"):
        told(*arguments)
    Release.objects.update(digest=bundle.digest)
    told(*arguments)
    other = corrections(tmp_path, gold_query="db.boats.countDocuments({tons: 9})")
    with pytest.raises(CommandError) as refused:
        told("correct_gold", bundle.root, other, "--to", "2", "--out", tmp_path / "newer")
    assert str(refused.value).splitlines() == [
        "Nothing was corrected:",
        "boats@1 is corrected by boats@2 already; correct that one.",
        "There is a release boats@2 already: name another version.",
    ]
    assert not (tmp_path / "newer").exists()


def test_what_is_no_correction_is_told_before_anything_is_loaded(bundle: Bundle, tmp_path: Path) -> None:
    told("import_bundle", bundle.root)
    items = [replace(each, question="Which ships?") for each in bundle.items]
    write_bundle(
        tmp_path / "c",
        header=Header(name="boats", version="3", title="Boats", license="MIT"),
        databases=(
            DatabaseSource(db_id="lake", collections=(CollectionSource(name="boats", documents=({"_id": 1},)),)),
        ),
        items=(*items, item("9", "db.boats.find()")),
    )
    with pytest.raises(CommandError) as refused:
        told("import_bundle", tmp_path / "c", "--corrects", "boats@1", "--why", "x")
    assert str(refused.value).splitlines()[1:] == [
        "Nobody was asked 1 of the items (9): that is a new release.",
        "The question of 3 items (1, 2, 3) is another, so old predictions do not answer them: that is a new release.",
    ]
    assert not Release.objects.filter(version="3").exists()
    with pytest.raises(CommandError, match="boats@1 is boats@1 itself"):
        told("import_bundle", bundle.root, "--corrects", "boats@1", "--why", "x")


def test_the_same_content_under_another_version_is_told(bundle: Bundle) -> None:
    told("import_bundle", bundle.root)
    write_manifest(replace(bundle, version="2"))
    with pytest.raises(CommandError, match="This very content is here already as boats@1"):
        told("import_bundle", bundle.root)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--corrects", "boats@7", "--why", "x"), "There is no live release boats@7 to correct"),
        (("--corrects", "boats@1"), "Say why it is corrected"),
    ],
)
def test_a_correction_names_a_live_release_and_a_reason(bundle: Bundle, arguments: tuple[str, ...], words: str) -> None:
    told("import_bundle", bundle.root)
    with pytest.raises(CommandError, match=words):
        told("import_bundle", bundle.root, *arguments)
    assert not Submission.objects.exists()
