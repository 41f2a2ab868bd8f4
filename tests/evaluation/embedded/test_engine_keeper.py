"""The keeper's rules that need no engine; the others are in test_document_database."""

import signal
from pathlib import Path

import pytest

from evaluation.embedded import engine_keeper


def test_a_log_that_has_grown_large_is_emptied_and_can_be_written_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_keeper, "LARGEST_LOG_BYTES", 10)
    log = tmp_path / "engine.log"
    with log.open("a", encoding="utf-8") as stream:
        for text, expected in (("short", "short"), (" no longer", ""), ("new", "new")):
            stream.write(text)
            stream.flush()
            engine_keeper._bound_log(log)
            assert log.read_text() == expected


def test_a_log_that_does_not_exist_is_no_fault(tmp_path: Path) -> None:
    engine_keeper._bound_log(tmp_path / "engine.log")

    assert not (tmp_path / "engine.log").exists()


def test_an_engine_that_does_not_start_the_first_time_ends_the_keeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = tmp_path / "launcher.py"
    launcher.write_text("raise SystemExit(3)")
    monkeypatch.setattr(engine_keeper, "LAUNCHER", launcher)
    monkeypatch.setattr(signal, "signal", lambda *_arguments: None)

    assert engine_keeper.main(["--folder", str(tmp_path), "--port", "1"]) == 1
    assert not (tmp_path / "engine.json").exists()
