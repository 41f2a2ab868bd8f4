"""Where in a JSON body a fault is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.errors import Fault
from leaderboard.api.pointers import BODY_FILE, escaped, fault_pointer


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ("", "/predictions"),
        ("[3]", "/predictions/3"),
        ("[3].question_id", "/predictions/3/question_id"),
        ("[12].a.b", "/predictions/12/a.b"),
        ("17", "/predictions/17"),
        ("a.b", "/predictions/a.b"),
        ("with_evidence.17", "/predictions/with_evidence/17"),
        ("without_evidence.a.b", "/predictions/without_evidence/a.b"),
        ("with_evidence", "/predictions/with_evidence"),
        ("a/b~c", "/predictions/a~1b~0c"),
    ],
)
def test_a_fault_in_the_predictions_of_a_body_has_a_pointer(field: str, pointer: str) -> None:
    assert fault_pointer(Fault(file=BODY_FILE, field=field, rule="r", message="m")) == pointer


def test_a_fault_in_a_file_has_lines_and_no_pointer() -> None:
    assert fault_pointer(Fault(file="p.jsonl", line=3, field="query", rule="r", message="m")) is None


def test_a_fault_in_a_field_points_to_it() -> None:
    assert fault_pointer(Fault(file="", field="entry", rule="r", message="m")) == "/entry"


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="~/01ab", max_size=12))
def test_escaping_can_be_undone_and_leaves_no_slash(token: str) -> None:
    assert "/" not in escaped(token)
    assert escaped(token).replace("~1", "/").replace("~0", "~") == token
