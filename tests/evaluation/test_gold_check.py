"""Gold is proved on a real engine; what its answer owes to the engine's order is found."""

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pymongo import MongoClient

from benchmark_data.types import ArrayOrder, Split
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.mongo import MongoExecutor
from evaluation.gold import GoldSource, gold_compute, gold_query
from evaluation.gold_check import CheckedItem, Finding, FindingKind, GoldCheckResult, gold_check
from evaluation.perturbation import KEY, Perturbation, perturbed
from evaluation.types import Answer, AnswerKind, EngineIdentity, ExecutionFailure, FailureKind, Limits, Operation, Query

CANARY = "canary_of_hidden_gold"
COLLECTIONS: Mapping[str, list[dict[str, Any]]] = {
    "players": [
        {"_id": 1, "name": "Ann", "team": 1, "goals": 9, "shirt": "9", "height": 180},
        {"_id": 2, "name": "Bea", "team": 1, "goals": 7, "shirt": "10", "height": 170},
        {"_id": 3, "name": "Cy", "team": 2, "goals": 7, "shirt": "2", "height": None},
        {"_id": 4, "name": CANARY, "team": 2, "goals": 7, "shirt": "none"},
        {"_id": 5, "name": "Eve", "team": 2, "goals": 1, "shirt": "1", "height": 165},
    ],
    "teams": [{"_id": 1, "city": "Oslo"}, {"_id": 2, "city": "Rome"}],
}
JOIN = '{$lookup: {from: "players", localField: "_id", foreignField: "team", as: "p"}}'

GOLD: list[tuple[str, set[FindingKind]]] = [
    ("db.players.find({}, {_id: 0, name: 1}).sort({goals: -1}).limit(1)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({goals: -1}).limit(2)", {FindingKind.AMBIGUOUS}),
    ("db.players.find({}, {_id: 0, goals: 1}).sort({goals: -1}).limit(2)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({goals: -1, _id: 1}).limit(2)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).limit(2)", {FindingKind.AMBIGUOUS}),
    ("db.players.findOne({team: 2}, {_id: 0, name: 1})", {FindingKind.AMBIGUOUS}),
    ("db.players.findOne({goals: 9}, {_id: 0, name: 1})", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({height: 1}).limit(2)", {FindingKind.NULL_ORDER}),
    ("db.players.find({height: {$gt: 0}}, {_id: 0, name: 1}).sort({height: 1}).limit(2)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({height: -1}).limit(2)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({shirt: 1}).limit(2)", {FindingKind.TEXT_NUMBERS}),
    ("db.players.aggregate([{$sort: {shirt: 1}}, {$project: {_id: 0, name: 1}}])", set()),
    ("db.players.countDocuments({goals: 7})", set()),
    ('db.players.distinct("goals")', set()),
    ("db.players.aggregate([{$group: {_id: '$team', n: {$sum: 1}}}, {$sort: {n: -1}}, {$limit: 1}])", set()),
    (
        "db.players.aggregate([{$group: {_id: '$goals', t: {$max: '$team'}}}, {$sort: {t: -1}}, {$limit: 1}])",
        {FindingKind.AMBIGUOUS},
    ),
    ("db.players.aggregate([{$sortByCount: '$shirt'}, {$limit: 1}])", {FindingKind.AMBIGUOUS}),
    ("db.players.aggregate([{$sortByCount: '$goals'}, {$limit: 1}])", set()),
    (f"db.teams.aggregate([{JOIN}, {{$project: {{names: '$p.name'}}}}])", {FindingKind.ARRAY_ORDER}),
    (f"db.teams.aggregate([{JOIN}, {{$project: {{n: {{$size: '$p'}}}}}}])", set()),
    (f"db.teams.aggregate([{JOIN}, {{$unwind: '$p'}}, {{$project: {{_id: 0, name: '$p.name'}}}}])", set()),
    (
        f"db.teams.aggregate([{JOIN}, {{$unwind: '$p'}}, {{$limit: 1}}, {{$project: {{_id: 0, name: '$p.name'}}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (
        "db.teams.aggregate([{$unionWith: {coll: 'players', pipeline: [{$limit: 1}]}}, {$match: {team: {$gt: 0}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    ("db.players.aggregate([{$facet: {a: [{$limit: 1}, {$project: {name: 1}}]}}])", {FindingKind.AMBIGUOUS}),
]


@pytest.fixture(scope="module")
def storage(document_database: DocumentDatabaseUrls) -> Iterator[str]:
    name = f"test_gold_{uuid.uuid4().hex[:12]}"
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        for collection, documents in COLLECTIONS.items():
            client[name][collection].insert_many(documents)
        yield name
        client.drop_database(name)


def source(text: str, *, storage: str = "s", question_id: str = "1") -> GoldSource:
    return GoldSource(
        question_id=question_id,
        db_id="league",
        storage_name=storage,
        collections=tuple(COLLECTIONS),
        gold_query=text,
        array_order=ArrayOrder.ORDERED,
    )


def checked(executor: MongoExecutor, storage: str, *texts: str, split: Split = Split.PUBLIC) -> GoldCheckResult:
    sources = (source(text, storage=storage, question_id=str(n)) for n, text in enumerate(texts))
    items = {
        one.question_id: CheckedItem(source=one, split=split, gold=gold_compute(one, executor=executor))
        for one in sources
    }
    return gold_check(list(items), items.__getitem__, executor=executor, limits=Limits())


@pytest.mark.engine
@pytest.mark.parametrize(("text", "kinds"), GOLD)
def test_gold_scores_one_against_itself_and_its_open_order_is_named(
    executor: MongoExecutor, storage: str, text: str, kinds: set[FindingKind]
) -> None:
    result = checked(executor, storage, text)
    assert (result.items, result.equal) == (1, 1)
    assert {finding.kind for finding in result.findings} == kinds, result.findings


@pytest.mark.engine
def test_no_finding_tells_a_value_of_hidden_gold(executor: MongoExecutor, storage: str) -> None:
    result = checked(executor, storage, *(text for text, _ in GOLD), split=Split.HIDDEN)
    assert len(result.findings) >= 9
    assert not any(CANARY in finding.detail or "Bea" in finding.detail for finding in result.findings)


class FakeExecutor:
    """Gives the answers of a list, one after the other."""

    identity = EngineIdentity(name="Fake", version="1", demo=True)

    def __init__(self, *answers: Answer | ExecutionFailure) -> None:
        self.answers = list(answers)

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        return self.answers.pop(0)


def rows(*values: int, milliseconds: float = 1.0) -> Answer:
    return Answer(kind=AnswerKind.DOCUMENTS, rows=tuple({"v": v} for v in values), milliseconds=milliseconds)


TIMED_OUT = ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="too slow")


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        ([rows(1, 2), rows(1, 2)], []),
        ([rows(2, 1), rows(1, 2)], []),
        ([rows(1, 3), rows(1, 2)], [FindingKind.UNEQUAL]),
        ([rows(1, 2), rows(1, 3)], [FindingKind.UNEQUAL]),
        ([rows(1, 2), rows(1, 2, 2)], [FindingKind.UNEQUAL]),
        ([rows(1, 2), TIMED_OUT], [FindingKind.UNEQUAL]),
        ([TIMED_OUT], [FindingKind.UNEQUAL]),
        ([rows(1, 2, milliseconds=9000), rows(1, 2)], [FindingKind.SLOW]),
    ],
    ids=["equal", "rows moved", "first differs", "second differs", "more rows", "second fails", "first fails", "slow"],
)
def test_gold_must_come_out_alike_both_times(
    answers: list[Answer | ExecutionFailure], kinds: list[FindingKind]
) -> None:
    one = source("db.players.find()")
    item = CheckedItem(source=one, split=Split.PUBLIC, gold=gold_compute(one, executor=FakeExecutor(rows(1, 2))))
    executor = FakeExecutor(*answers)
    result = gold_check(["1"], lambda _: item, executor=executor, limits=Limits(), perturb=False)
    assert [finding.kind for finding in result.findings] == kinds
    assert result.equal == (0 if FindingKind.UNEQUAL in kinds else 1)


def test_an_order_that_the_engine_cannot_be_asked_in_is_told_not_hidden() -> None:
    one = source("db.players.find()")
    item = CheckedItem(source=one, split=Split.PUBLIC, gold=gold_compute(one, executor=FakeExecutor(rows(1))))
    executor = FakeExecutor(rows(1), TIMED_OUT, TIMED_OUT, rows(1))
    (finding,) = gold_check(["1"], lambda _: item, executor=executor, limits=Limits()).findings
    assert finding == Finding(question_id="1", kind=FindingKind.UNCHECKED, detail=finding.detail)
    assert "timed_out" in finding.detail


def pipeline(text: str, perturbation: Perturbation) -> Any:
    query, _ = gold_query(source(text))
    found = perturbed(query, perturbation)
    return None if found is None else found.arguments["pipeline"]


@pytest.mark.parametrize(
    "text",
    [
        "db.players.countDocuments({})",
        'db.players.distinct("name")',
        "db.players.find({}, {tags: {$slice: 1}})",
        "db.players.find({}, {tags: {$elemMatch: {a: 1}}})",
    ],
)
def test_what_cannot_be_asked_as_an_aggregation_is_left_alone(text: str) -> None:
    assert [pipeline(text, each) for each in Perturbation] == [None] * 4


def test_only_sorts_have_nulls_and_text() -> None:
    for each in (Perturbation.NULLS_LAST, Perturbation.TEXT_AS_NUMBERS):
        assert pipeline("db.players.aggregate([{$match: {a: 1}}, {$limit: 1}])", each) is None
        assert KEY in repr(pipeline("db.players.aggregate([{$sort: {a: 1}}])", each))


def test_documents_are_ordered_behind_the_first_match_and_in_every_lookup() -> None:
    text = f'db.teams.aggregate([{{$match: {{city: "Oslo"}}}}, {JOIN}])'
    match, sort, lookup = pipeline(text, Perturbation.DESCENDING)
    assert ("$match" in match, sort, lookup["$lookup"]["pipeline"]) == (
        True,
        {"$sort": {"_id": -1}},
        [{"$sort": {"_id": -1}}],
    )


def test_other_parts_of_a_query_stay_as_they_are() -> None:
    query = Query(
        collection="c",
        operation=Operation.FIND,
        arguments={"sort": {"a": 1}, "limit": -3, "collation": {"locale": "en"}},
        path=("a",),
        index=0,
    )
    other = perturbed(query, Perturbation.ASCENDING)
    assert other is not None
    assert (other.path, other.index, other.arguments["collation"]) == (("a",), 0, {"locale": "en"})
    assert {"$limit": 3} in other.arguments["pipeline"]
