"""Replies are stored in groups, and each is stored before its `store` returns."""

import asyncio
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from evaluation.generation.types import Reason, Reply, unasked
from evaluation.types import Condition
from workers.replies import ReplyWriter

REPLY = replace(unasked("q", Condition.WITH_EVIDENCE, Reason.EMPTY, ""), asked_at=datetime(2026, 1, 1, tzinfo=UTC))


def stored(count: int, *, seconds: float = 0.01, fail_at: int | None = None) -> tuple[list[list[str]], list[object]]:
    groups: list[list[str]] = []
    threads: set[int] = set()

    def write(replies: Sequence[Reply]) -> None:
        threads.add(threading.get_ident())
        time.sleep(seconds)
        if fail_at is not None and len(groups) == fail_at:
            groups.append([])
            raise OSError("disk full")
        groups.append([reply.question_id for reply in replies])

    async def all_of_them() -> list[object]:
        with ThreadPoolExecutor(max_workers=1) as thread:
            writer = ReplyWriter(write=write, thread=thread)

            async def one(number: int) -> str:
                await asyncio.sleep(number * 0.001)
                await writer.store(replace(REPLY, question_id=f"q{number}"))
                assert any(f"q{number}" in group for group in groups)
                return "stored"

            return list(await asyncio.gather(*(one(n) for n in range(count)), return_exceptions=True))

    results = asyncio.run(all_of_them())
    assert len(threads) <= 1
    return groups, results


def test_every_reply_is_written_once_in_the_order_in_which_it_came() -> None:
    groups, results = stored(50)
    assert [name for group in groups for name in group] == [f"q{n}" for n in range(50)]
    assert results == ["stored"] * 50


def test_replies_that_arrive_while_a_group_is_written_share_the_next() -> None:
    groups, _ = stored(60, seconds=0.02)
    assert len(groups) < 20


def test_a_failed_group_fails_those_who_wait_for_it_and_no_other() -> None:
    groups, results = stored(30, fail_at=1)
    failed = [one for one in results if isinstance(one, OSError)]
    assert failed
    assert results.count("stored") == sum(map(len, groups)) == 30 - len(failed)


def test_who_stops_waiting_does_not_keep_a_reply_from_being_written() -> None:
    written: list[str] = []

    def write(replies: Sequence[Reply]) -> None:
        time.sleep(0.02)
        written.extend(reply.question_id for reply in replies)

    async def let_go() -> None:
        with ThreadPoolExecutor(max_workers=1) as thread:
            writer = ReplyWriter(write=write, thread=thread)
            waiting = asyncio.create_task(writer.store(REPLY))
            await asyncio.sleep(0.005)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await writer.store(replace(REPLY, question_id="after"))

    asyncio.run(let_go())
    assert written == ["q", "after"]
