"""Tests of the journal of replies, and of what they add up to."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.generation.journal import Journal, JournalError, write_predictions
from evaluation.generation.tally import percentile_95, tally, total_usage
from evaluation.generation.types import Reason, Reply, Usage, unasked
from evaluation.types import Condition

SETTINGS: Mapping[str, object] = {"model": "m", "sampling": {"temperature": 0.0}}
REPLY = Reply(
    question_id="q1",
    condition=Condition.WITH_EVIDENCE,
    number=0,
    is_final=True,
    text="db.a.find({'ü': 1})\n",
    calls=2,
    prompt_digest="d",
    finish_reason="stop",
    model="m-1",
    usage=Usage(prompt_tokens=3, completion_tokens=4, reasoning_tokens=1, cost=Decimal("0.00012")),
    milliseconds=12.5,
    asked_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
)


def filled(path: Path, *replies: Reply) -> None:
    journal = Journal.opened(path, SETTINGS)
    for reply in replies:
        asyncio.run(journal.add(reply))
    journal.close()


def test_replies_come_back_as_they_were_stored(tmp_path: Path) -> None:
    other = replace(REPLY, question_id="q2", text="", reason=Reason.EMPTY, usage=replace(REPLY.usage, cost=None))
    filled(tmp_path / "j", REPLY, other)
    again = Journal.opened(tmp_path / "j", SETTINGS)
    again.close()
    assert again.replies == [REPLY, other]
    assert again.session == json.loads((tmp_path / "j").read_text().splitlines()[0])["session"] != ""


def test_a_last_line_that_was_cut_is_dropped_and_the_next_reply_stands_in_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "j"
    filled(path, REPLY, replace(REPLY, question_id="q2"))
    content = path.read_bytes()
    for cut in (1, 2, 40):
        path.write_bytes(content[:-cut])
        filled(path, replace(REPLY, question_id="q3"))
        again = Journal.opened(path, SETTINGS)
        again.close()
        assert [reply.question_id for reply in again.replies] == ["q1", "q3"]


def test_a_journal_of_other_settings_is_not_taken_up_and_the_difference_is_named(tmp_path: Path) -> None:
    filled(tmp_path / "j", REPLY)
    with pytest.raises(JournalError, match=r"other settings \(sampling\)"):
        Journal.opened(tmp_path / "j", {**SETTINGS, "sampling": {"temperature": 1.0}})


def test_a_journal_without_replies_takes_any_settings(tmp_path: Path) -> None:
    filled(tmp_path / "j")
    Journal.opened(tmp_path / "j", {"model": "other"}).close()
    assert json.loads((tmp_path / "j").read_text())["settings"] == {"model": "other"}


@pytest.mark.parametrize(
    "content", ["db.a.find()\n", "{}\n", '{"session": "s", "settings": {}}\n{"question_id": 1}\n', "[]\n"]
)
def test_a_file_that_is_no_journal_is_named_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "j"
    path.write_text(content)
    with pytest.raises(JournalError, match="is no journal"):
        Journal.opened(path, SETTINGS)
    assert path.read_text() == content


def test_an_item_is_unfinished_until_its_final_reply_is_there(tmp_path: Path) -> None:
    journal = Journal.opened(tmp_path / "j", SETTINGS)
    of = Condition.WITH_EVIDENCE
    assert journal.unfinished(of, "q1") == ()
    earlier = replace(REPLY, is_final=False, error="no")
    asyncio.run(journal.add(earlier))
    assert journal.unfinished(of, "q1") == (earlier,)
    asyncio.run(journal.add(replace(REPLY, number=1)))
    assert journal.unfinished(of, "q1") is None
    assert journal.unfinished(Condition.WITHOUT_EVIDENCE, "q1") == ()
    journal.close()


def test_predictions_hold_final_replies_only(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    replies = [replace(REPLY, is_final=False), replace(REPLY, number=1, text="db.b.find()")]
    assert write_predictions(out, replies, {"q1": "shop"}) == 1
    assert [json.loads(line) for line in out.read_text().splitlines()] == [
        {"question_id": "q1", "db_id": "shop", "condition": "with_evidence", "query": "db.b.find()"}
    ]


def test_a_tally_counts_final_replies_and_adds_up_all_of_them() -> None:
    earlier = replace(REPLY, is_final=False, error="no")
    final = replace(REPLY, number=1, calls=1, milliseconds=20.0)
    failed = unasked("q9", Condition.WITH_EVIDENCE, Reason.PROMPT_TOO_LARGE, "does not fit")
    found = tally([earlier, final, failed])
    assert (found.items, found.usable, found.calls) == (2, 1, 3)
    assert found.usage == Usage(prompt_tokens=6, completion_tokens=8, reasoning_tokens=2, cost=Decimal("0.00024"))
    assert found.reasons == {"prompt_too_large": 1}
    assert found.solved_at == {1: 1}
    assert found.median_milliseconds == 16.25


def test_a_cost_that_is_not_known_makes_the_sum_unknown() -> None:
    assert total_usage([REPLY.usage, replace(REPLY.usage, cost=None)]).cost is None


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_the_95th_percentile_lies_within_the_values(values: list[float]) -> None:
    found = percentile_95(values)
    assert found is not None
    assert min(values) <= found <= max(values)


def test_nothing_has_no_percentile() -> None:
    assert percentile_95([]) is None
