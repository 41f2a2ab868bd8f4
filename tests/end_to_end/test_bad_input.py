"""Bad input gets one clear answer that names file, line and field for all faults at once; nothing is half stored."""

import json
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.conftest import TINY, TINY_RELEASE
from tests.end_to_end.site import Site

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

FILES = {
    "empty": (b"", "empty"),
    "not UTF-8": (b'{"question_id": "x", "query": "\xff\xfe"}\n', "UTF-8"),
    "not JSON": (b'{"question_id": "x", "query": \n', "JSON"),
}


def submissions(site: Site, token: str) -> int:
    code = "from leaderboard.models.submissions import Submission as S; print('n =', S.objects.count())"
    return int(site.manage("shell", "-v", "0", "-c", code).stdout.rpartition("n =")[2])


def test_every_fault_of_a_file_is_told_in_one_answer(site: Site, tmp_path: Path) -> None:
    token = site.token()
    first = json.loads((TINY / "items.jsonl").read_text().splitlines()[0])["question_id"]
    lines = [
        json.dumps({"question_id": first, "query": "db.x.find()", "condition": "with_evidence"}),
        '{"question_id": ',
        json.dumps({"question_id": "no-such-question", "query": "db.x.find()", "condition": "with_evidence"}),
        json.dumps({"question_id": first, "query": "db.x.find()", "condition": "with_evidence"}),
        json.dumps({"question_id": first, "query": "db.x.find()"}),
        json.dumps({"question_id": first, "query": 7, "condition": "without_evidence"}),
    ]
    file = tmp_path / "faulty.jsonl"
    file.write_text("\n".join(lines))
    before = submissions(site, token)
    done = site.aptboard("submit", file, "--entry", "Faulty", "--token", token, "--release", TINY_RELEASE, code=2)
    for line in range(2, 7):
        assert f"faulty.jsonl:{line}:" in done.stderr, done.stderr
    assert "5 faults" in done.stderr
    assert submissions(site, token) == before


@pytest.mark.parametrize("kind", FILES)
def test_an_unreadable_file_is_refused(site: Site, tmp_path: Path, kind: str) -> None:
    content, told = FILES[kind]
    file = tmp_path / "unreadable.jsonl"
    file.write_bytes(content)
    done = site.aptboard("submit", file, "--entry", "Unreadable", "--token", site.token(), code=2)
    assert "unreadable.jsonl" in done.stderr
    assert told in done.stderr


def test_a_file_of_200_mb_is_refused_with_the_cap(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as output:
        line = json.dumps({"question_id": "x", "query": "q" * 100_000, "condition": "with_evidence"}).encode() + b"\n"
        for _ in range(2000):
            output.write(line)
    done = site.aptboard("submit", file, "--entry", "Huge", "--token", site.token(), code=None)
    assert done.returncode in {2, 3}, done.stderr
    assert "50 MB" in done.stderr, done.stderr


def test_a_wrong_token_is_named_as_such(site: Site) -> None:
    file = next((TINY / "predictions").glob("*.jsonl"))
    done = site.aptboard("submit", file, "--entry", "x", "--token", "apt_live_wrong", code=3)
    assert "token" in done.stderr.lower()


def test_a_bundle_with_a_broken_digest_is_not_imported(site: Site, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(TINY, broken)
    documents = next((broken / "databases").rglob("*.jsonl"))
    lines = documents.read_text().splitlines()
    documents.write_text("\n".join([*lines[1:], "{broken"]) + "\n")
    items = (broken / "items.jsonl").read_text().splitlines()
    (broken / "items.jsonl").write_text("\n".join([*items, items[0]]) + "\n")
    before = site.get("/api/v1/releases")
    done = site.manage("import_bundle", broken, code=2)
    assert documents.name in done.stderr
    assert "items.jsonl" in done.stderr
    assert site.get("/api/v1/releases") == before
