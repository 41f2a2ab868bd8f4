"""A log of faults stays small and printable, whatever a file does."""

from benchmark_data.faults import FaultLog


def test_beyond_the_limit_faults_are_counted_only() -> None:
    log = FaultLog("a.jsonl", limit=3)
    for number in range(1, 11):
        log.add("bad_json", "not JSON.", line=number)
    assert log.total == 10
    assert [fault.line for fault in log.faults] == [1, 2, 3]
    assert str(log.summary[-1]) == "a.jsonl: … and 7 more faults in this file, not listed."


def test_a_log_below_its_limit_has_no_closing_line() -> None:
    log = FaultLog("a.jsonl")
    log.add("bad_json", "not JSON.", line=4, field="x")
    assert [str(fault) for fault in log.summary] == ["a.jsonl:4: x: not JSON."]


def test_hostile_names_and_messages_are_made_printable_and_short() -> None:
    log = FaultLog("a\x1b[31m.jsonl")
    log.add("x", "y" * 5000, field="\0\ud800" + "k" * 500)
    (fault,) = log.faults
    assert fault.file == "a\ufffd[31m.jsonl"
    assert fault.field.startswith("\ufffd\ufffdkk")
    assert len(fault.field) == 200
    assert len(fault.message) == 600
    assert str(fault).encode()


def test_a_fault_of_the_whole_file_is_listed_however_many_others_there_are() -> None:
    log = FaultLog("a.jsonl", limit=2)
    for number in (1, 2, 3):
        log.add("bad_json", "not JSON.", line=number)
    log.add_first("too_large", "too large.")
    assert [(fault.rule, fault.line) for fault in log.faults] == [("too_large", None), ("bad_json", 1)]
    assert log.total == 4
