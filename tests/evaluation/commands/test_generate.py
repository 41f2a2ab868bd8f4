"""Tests of `aptboard prompt`, `generate` and `practice-endpoint` as a person runs them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmark_data.bundles.generate import TINY
from benchmark_data.load import load_bundle
from evaluation.practice.behaviours import FaultPlan
from evaluation.practice.server import KEY, Practice, PracticeServer, serving

APTBOARD = Path(sys.executable).with_name("aptboard")
ITEMS = len(load_bundle(TINY).items)


@pytest.fixture
def server() -> Iterator[PracticeServer]:
    with serving(Practice(retry_after=0.2, faults=FaultPlan(share=0.05, seed=4))) as running:
        yield running


def command(*words: object, key: str = KEY) -> list[str]:
    return [str(APTBOARD), *map(str, words)]


def run(*words: object, code: int, key: str = KEY) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*words), env=environment(key), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def environment(key: str) -> dict[str, str]:
    return {**os.environ, "APTBOARD_MODEL_KEY": key}


def options(server: PracticeServer, out: Path, model: str = "practice") -> list[object]:
    return ["--model", model, "--endpoint", server.url, "--bundle", TINY, "--out", out, "--concurrency", "4"]


def test_a_generation_gives_every_item_a_reply_in_both_conditions_and_a_right_bill(
    server: PracticeServer, tmp_path: Path
) -> None:
    out = tmp_path / "p.jsonl"
    done = run("generate", *options(server, out), "--price-prompt", "1", "--price-completion", "2", code=0)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len({(line["condition"], line["question_id"]) for line in lines}) == len(lines) == 2 * ITEMS
    counts = server.practice.ledger.as_json()
    replies = [json.loads(line) for line in (tmp_path / "p.jsonl.replies").read_text().splitlines()[1:]]
    assert sum(reply["usage"]["prompt_tokens"] for reply in replies) == counts["prompt_tokens"]
    assert sum(reply["usage"]["completion_tokens"] for reply in replies) == counts["completion_tokens"]
    assert sum(reply["calls"] for reply in replies) == counts["calls"] > counts["answered"] == 2 * ITEMS
    assert "with_evidence" in done.stdout
    assert run("generate", *options(server, out), code=0)
    assert server.practice.ledger.as_json() == counts, "a finished generation asks nothing"


def test_a_killed_generation_goes_on_without_one_repeated_call(tmp_path: Path) -> None:
    with serving(Practice(seconds=0.05)) as server:
        out = tmp_path / "p.jsonl"
        replies = tmp_path / "p.jsonl.replies"
        process = subprocess.Popen(
            command("generate", *options(server, out)),
            env=environment(KEY),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until = time.monotonic() + 60
            while not replies.exists() or replies.read_bytes().count(b"\n") < 20:
                assert time.monotonic() < until
                time.sleep(0.01)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        run("generate", *options(server, out), code=0)
        counts = server.practice.ledger.as_json()
        # What was under way when the process died is asked under the same Idempotency-Key, and so is not billed again.
        assert counts["answered"] == 2 * ITEMS
        assert counts["calls"] <= 2 * ITEMS + 4
        assert len(out.read_text().splitlines()) == 2 * ITEMS


def test_a_wrong_key_ends_with_the_providers_sentence(server: PracticeServer, tmp_path: Path) -> None:
    done = run("generate", *options(server, tmp_path / "p.jsonl"), code=1, key="sk-wrong-4711")
    assert "Incorrect API key provided." in done.stderr
    assert "4711" not in done.stderr + done.stdout


def test_nobody_at_the_endpoint_is_told_as_such_and_can_be_taken_up_again(tmp_path: Path) -> None:
    with serving(Practice()) as server:
        url = server.url
    words = ["--model", "practice", "--endpoint", url, "--bundle", TINY, "--out", tmp_path / "p", "--attempts", "2"]
    done = run("generate", *words, code=4)
    assert "The connection to the endpoint failed" in done.stderr


def test_a_token_budget_stops_in_time_and_a_larger_one_goes_on(server: PracticeServer, tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    limited = [*options(server, out), "--max-tokens", "100", "--budget-tokens", "12000"]
    done = run("generate", *limited, code=1)
    assert "The token budget is spent" in done.stderr
    counts = server.practice.ledger.as_json()
    assert 10_000 < counts["prompt_tokens"] + counts["completion_tokens"] <= 12_000
    run("generate", *limited[:-1], "1000000", code=0)
    assert server.practice.ledger.as_json()["answered"] == 2 * ITEMS


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--budget-usd", "1"], "prices are not known"),
        (["--budget-usd", "lots"], "is no amount of US dollars"),
        (["--price-prompt", "1"], "give both prices or none"),
        (["--repairs", "4"], "--repairs"),
    ],
)
def test_options_that_cannot_be_kept_are_named(
    server: PracticeServer, tmp_path: Path, words: list[str], sentence: str
) -> None:
    code = 1 if "known" in sentence else 2
    told = run("generate", *options(server, tmp_path / "p"), *words, code=code).stderr
    assert sentence in " ".join(told.replace("│", " ").split())
    assert server.practice.ledger.calls == 0


@pytest.mark.engine
def test_a_query_that_cannot_be_run_is_sent_back_for_repair(tmp_path: Path) -> None:
    with serving(Practice()) as server:
        out = tmp_path / "p.jsonl"
        run("generate", *options(server, out, "practice-refusing"), "--repairs", "1", code=0)
        replies = [json.loads(line) for line in (tmp_path / "p.jsonl.replies").read_text().splitlines()[1:]]
    assert {(reply["number"], reply["is_final"]) for reply in replies} == {(0, False), (1, True)}
    assert all(reply["error"] for reply in replies if not reply["is_final"])


def test_prompt_prints_what_a_model_is_sent(tmp_path: Path) -> None:
    item = next(one for one in load_bundle(TINY).items if one.evidence)
    words = ["prompt", "--item", item.question_id, "--bundle", TINY]
    shown = run(*words, code=0)
    assert item.question in shown.stdout
    assert item.evidence in shown.stdout
    assert item.gold_query not in shown.stdout
    assert "tokens" in shown.stderr
    made = json.loads(run(*words, "--condition", "without_evidence", "--json", code=0).stdout)
    assert made["template"] == "default@1"
    assert item.evidence not in json.dumps(made, ensure_ascii=False)
    assert "does not fit" in run(*words, "--context", "100", code=1).stderr
    assert "no item 'nothing'" in run("prompt", "--item", "nothing", "--bundle", TINY, code=2).stderr


def test_the_practice_endpoint_serves_until_it_is_interrupted() -> None:
    process = subprocess.Popen(command("practice-endpoint", "--port", "0"), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Practice endpoint at http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.communicate()
