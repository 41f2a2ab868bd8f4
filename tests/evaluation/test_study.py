"""A study: what is timed and kept, how it is summed up, and its picture."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from evaluation.executors.explaining import examined_in
from evaluation.study import Arm, ArmResult, Point, Timing, measure, points
from evaluation.study_plot import svg_plot
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
    [timing] = measure(arm("a"), executor=executor, limits=Limits(), repetitions=3).timings
    assert timing.milliseconds == (3.0, 1.0, 2.0)
    assert timing.median == 2.0
    assert timing.quartiles == (1.5, 2.5)
    assert len(executor.asked) == 4


def test_a_time_out_is_a_lower_bound_and_ends_its_query() -> None:
    executor = Clockwork([1.0, FailureKind.TIMED_OUT, 5.0, 5.0, 5.0])
    result = measure(arm("a", "b"), executor=executor, limits=Limits(milliseconds=900), repetitions=2)
    assert [(timing.milliseconds, timing.censored) for timing in result.timings] == [
        ((900.0,), True),
        ((5.0, 5.0), False),
    ]
    assert result.censored == 1
    assert result.mean == (900 + 5) / 2


def test_a_query_that_fails_has_no_time_and_its_reason() -> None:
    result = measure(arm("a"), executor=Clockwork([FailureKind.INVALID]), limits=Limits())
    assert result.measured == ()
    assert result.mean is None
    assert result.timings[0].failure == "no"


def test_documents_examined_are_asked_for_once_a_query() -> None:
    asked = []

    def examined(query: Query, database: str) -> int:
        asked.append((query.collection, database))
        return 7

    result = measure(arm("a"), executor=Clockwork([1.0] * 6), limits=Limits(), examined=examined)
    assert result.timings[0].examined == 7
    assert asked == [("a", "db")]


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
