"""A study: what is timed and kept, how it is summed up, and its picture."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from evaluation.executors.explaining import examined_in
from evaluation.study import Arm, ArmResult, Plan, Point, Timing, measure, points
from evaluation.study_machine import machine_description
from evaluation.study_plot import svg_plot
from evaluation.study_table import markdown_table
from evaluation.types import (
    Answer,
    AnswerKind,
    EngineIdentity,
    ExecutionFailure,
    FailureKind,
    Limits,
    Operation,
    Query,
)


class Clockwork:
    """An executor whose answers take the times that it is given."""

    identity = EngineIdentity(name="Clockwork", version="1", demo=True)

    def __init__(self, times: list[float | FailureKind]) -> None:
        self._times: Iterator[float | FailureKind] = iter(times)
        self.asked: list[str] = []

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        self.asked.append(f"{database}.{query.collection}")
        found = next(self._times)
        if isinstance(found, FailureKind):
            return ExecutionFailure(kind=found, code=None, message="no")
        return Answer(kind=AnswerKind.DOCUMENTS, rows=(), milliseconds=found)


def arm(*names: str) -> Arm:
    queries = {
        name: Query(collection=name, operation=Operation.AGGREGATE, arguments={"pipeline": []}) for name in names
    }
    return Arm(strategy="plain", factor=1.0, db_id="shop", database="db", queries=queries)


def test_the_warm_up_is_run_and_not_kept() -> None:
    executor = Clockwork([100.0, 3.0, 1.0, 2.0])
    [result] = measure([arm("a")], Plan(executor=executor, limits=Limits(), repetitions=3))
    [timing] = result.timings
    assert timing.milliseconds == (3.0, 1.0, 2.0)
    assert timing.median == 2.0
    assert timing.quartiles == (1.5, 2.5)
    assert len(executor.asked) == 4


def test_a_time_out_is_a_lower_bound_and_ends_its_query() -> None:
    executor = Clockwork([1.0, FailureKind.TIMED_OUT, 5.0, 5.0, 5.0])
    plan = Plan(executor=executor, limits=Limits(milliseconds=900), repetitions=2)
    [result] = measure([arm("a", "b")], plan)
    assert [(timing.milliseconds, timing.censored) for timing in result.timings] == [
        ((900.0,), True),
        ((5.0, 5.0), False),
    ]
    assert result.censored == 1
    assert result.mean == (900 + 5) / 2


def test_a_query_that_fails_has_no_time_and_its_reason() -> None:
    plan = Plan(executor=Clockwork([FailureKind.INVALID]), limits=Limits())
    [result] = measure([arm("a")], plan)
    assert result.measured == ()
    assert result.mean is None
    assert result.timings[0].failure == "no"


def test_documents_examined_are_asked_for_once_a_query() -> None:
    asked = []

    def examined(query: Query, database: str) -> int:
        asked.append((query.collection, database))
        return 7

    [result] = measure([arm("a")], Plan(executor=Clockwork([1.0] * 6), limits=Limits(), examined=examined))
    assert result.timings[0].examined == 7
    assert asked == [("a", "db")]


def test_each_repetition_runs_in_each_arm_before_the_next_begins() -> None:
    executor = Clockwork([float(n) for n in range(1, 9)])
    arms = [replace(arm("a"), database="one"), replace(arm("a", "b"), database="two")]
    first, second = measure(arms, Plan(executor=executor, limits=Limits(), repetitions=1))
    assert executor.asked == ["one.a", "two.a", "one.a", "two.a", "two.b", "two.b"]
    assert [timing.milliseconds for timing in first.timings] == [(3.0,)]
    assert [timing.milliseconds for timing in second.timings] == [(4.0,), (6.0,)]


def test_the_table_has_means_ratios_and_medians_with_lower_bounds_marked() -> None:
    def result(strategy: str, *medians: float, censored: bool = False) -> ArmResult:
        timings = tuple(
            Timing(question_id=str(n), milliseconds=(each,), censored=censored and n == 9)
            for n, each in enumerate(medians, start=9)
        )
        return ArmResult(strategy=strategy, factor=1.0, db_id="x", timings=timings)

    lines = markdown_table([result("plain", 900.0, 100.0, censored=True), result("design", 9.0, 100.0)]).splitlines()
    assert lines[2] == "| 1× | plain | ≥ 500.0 | 500.0–500.0 | 1.00 | 1.00 |"
    assert lines[3] == "| 1× | design | 54.5 | 54.5–54.5 | 9.17 | 10.00 |"
    assert lines[-2:] == ["| 9 | ≥ 900.0 | 9.0 |", "| 10 | 100.0 | 100.0 |"]


def test_the_machine_is_told() -> None:
    found = machine_description()
    assert found["processor"]
    assert int(found["cores"]) >= 1


def test_a_point_is_the_geometric_mean_of_the_databases_means() -> None:
    def result(db_id: str, *medians: float) -> ArmResult:
        timings = tuple(Timing(question_id=str(n), milliseconds=(each,)) for n, each in enumerate(medians))
        return ArmResult(strategy="plain", factor=1.0, db_id=db_id, timings=timings)

    [point] = points([result("x", 1.0, 3.0), result("y", 8.0), result("z")])
    assert point.milliseconds == pytest.approx(4.0)
    assert point.queries == 3


def test_the_picture_is_xml_with_a_line_for_each_strategy_and_hollow_marks_for_bounds() -> None:
    made = [
        Point(strategy=name, factor=factor, milliseconds=each, low=each / 2, high=each * 2, censored=bound, queries=3)
        for name, factor, each, bound in [("a<b", 1.0, 1.0, 0), ("a<b", 10.0, 200.0, 2), ("other", 1.0, 3.0, 0)]
    ]
    root = ET.fromstring(svg_plot(made, title="Times & sizes"))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}polyline")) == 2
    assert [each.get("fill") == "#ffffff" for each in root.findall(f"{space}circle")] == [False, True, False]
    heights = [float(str(each.get("cy"))) for each in root.findall(f"{space}circle")]
    assert heights[1] < heights[2] < heights[0]


def test_labels_of_lines_that_end_together_lie_apart() -> None:
    made = [
        Point(strategy=name, factor=1.0, milliseconds=each, low=each, high=each, censored=0, queries=1)
        for name, each in [("a", 10.0), ("b", 10.1), ("c", 10.2)]
    ]
    root = ET.fromstring(svg_plot(made, title="Alike"))
    texts = root.findall("{http://www.w3.org/2000/svg}text")
    labels = [each for each in texts if str(each.text)[0] in "abc"]
    heights = sorted(float(str(each.get("y"))) for each in labels)
    assert len(heights) == 3
    assert all(after - before >= 15 for before, after in pairwise(heights))


def test_a_study_without_a_point_has_a_picture_too() -> None:
    assert ET.fromstring(svg_plot([], title="Nothing")) is not None


@pytest.mark.parametrize(
    ("plan", "examined"),
    [
        ({"executionStats": {"totalDocsExamined": 7}}, 7),
        (
            {
                "stages": [
                    {"$cursor": {"executionStats": {"totalDocsExamined": 7}}},
                    {"$lookup": {}, "totalDocsExamined": 5},
                ]
            },
            12,
        ),
        ({"ok": 1.0}, None),
    ],
)
def test_the_documents_examined_are_summed_over_a_plan(plan: dict[str, object], examined: int | None) -> None:
    assert examined_in(plan) == examined
