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
from evaluation.perturbation import KEY, ORDERS, WHOLE, Perturbation, perturbed
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
    "meets": [
        {"_id": 1, "laps": [{"time": 5, "by": "a"}, {"time": 5, "by": "b"}, {"time": 9, "by": "c"}], "mark": 3},
        {"_id": 2, "laps": [{"time": 7, "by": "d"}], "mark": "n/a", "after": 1},
        {"_id": 3, "laps": [], "mark": 8, "after": 1, "tags": ["wet", "late"]},
    ],
}
JOIN = '{$lookup: {from: "players", localField: "_id", foreignField: "team", as: "p"}}'

LAPS = "db.meets.aggregate([{$unwind: '$laps'}"
OF_TEAM = '{$lookup: {from: "players", localField: "_id", foreignField: "team", as: "p", pipeline: [%s{$limit: 1}]}}'
FIRST_OF = f"{OF_TEAM % ''}, {{$project: {{names: '$p.name'}}}}"
TOP_OF = f"{OF_TEAM % '{$sort: {_id: 1}}, '}, {{$project: {{names: '$p.name'}}}}"

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
    # Ties inside one document, which share its _id.
    (
        f"{LAPS}, {{$sort: {{'laps.time': 1}}}}, {{$limit: 1}}, {{$project: {{_id: 0, by: '$laps.by'}}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (
        f"{LAPS}, {{$sort: {{_id: 1}}}}, {{$limit: 1}}, {{$project: {{_id: 0, by: '$laps.by'}}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (f"{LAPS}, {{$sort: {{'laps.time': -1}}}}, {{$limit: 1}}, {{$project: {{_id: 0, by: '$laps.by'}}}}])", set()),
    # Without a sort an array is unwound in its own order.
    (f"{LAPS}, {{$group: {{_id: '$_id', by: {{$first: '$laps.by'}}}}}}])", set()),
    # Ties after _id is gone.
    (
        "db.players.aggregate([{$group: {_id: '$team', n: {$max: '$height'}}}, {$project: {_id: 0, team: '$_id'}}, "
        "{$addFields: {same: 1}}, {$sort: {same: 1}}, {$limit: 1}])",
        {FindingKind.AMBIGUOUS},
    ),
    ("db.players.aggregate([{$group: {_id: '$team', name: {$first: '$name'}}}])", {FindingKind.AMBIGUOUS}),
    ("db.players.aggregate([{$sort: {_id: 1}}, {$group: {_id: '$team', name: {$first: '$name'}}}])", set()),
    ("db.players.aggregate([{$sort: {goals: -1}}, {$group: {_id: '$team', name: {$last: '$name'}}}])", set()),
    (
        "db.players.aggregate([{$sort: {goals: -1}}, {$group: {_id: '$team', name: {$first: '$name'}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    ("db.players.aggregate([{$group: {_id: '$team', names: {$push: '$name'}}}])", {FindingKind.ARRAY_ORDER}),
    ("db.players.aggregate([{$group: {_id: '$team', names: {$addToSet: '$name'}}}])", set()),
    (
        "db.players.aggregate([{$group: {_id: '$team', names: {$addToSet: '$name'}}}, "
        "{$project: {one: {$arrayElemAt: ['$names', 0]}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (f"db.teams.aggregate([{FIRST_OF}])", {FindingKind.AMBIGUOUS}),
    (f"db.teams.aggregate([{TOP_OF}])", set()),
    # Numbers and text in one sort: text stands above every number.
    ("db.meets.find({}, {_id: 0, mark: 1}).sort({mark: -1}).limit(1)", {FindingKind.MIXED_TYPES}),
    ("db.meets.find({mark: {$type: 'number'}}, {_id: 0, mark: 1}).sort({mark: -1}).limit(1)", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({name: 1}).limit(2)", set()),
    # A tie is no matter of nulls, however the nulls move the sort.
    ("db.players.find({height: {$gt: 0}}, {_id: 0, name: 1}).sort({team: 1}).limit(1)", {FindingKind.AMBIGUOUS}),
    # Projections that only find() knows.
    ("db.meets.find({}, {_id: 0, laps: {$slice: 1}}).limit(1)", {FindingKind.AMBIGUOUS}),
    ("db.meets.find({'laps.time': {$gt: 4}}, {_id: 0, 'laps.$': 1}).limit(1)", {FindingKind.AMBIGUOUS}),
    ("db.meets.findOne({_id: 1}, {_id: 0, laps: {$elemMatch: {time: 5}}})", set()),
    ("db.players.find({}, {_id: 0, name: 1}).sort({$natural: 1}).limit(1)", {FindingKind.AMBIGUOUS}),
    ("db.players.find({}, {_id: 0, name: 1}).toArray()[0]", {FindingKind.AMBIGUOUS}),
    ('db.players.distinct("name")[0]', {FindingKind.AMBIGUOUS}),
    ('db.players.distinct("name", {_id: 1})[0]', set()),
    ("db.players.aggregate([{$sample: {size: 5}}, {$project: {_id: 0, name: 1}}])", set()),
    (
        "db.meets.aggregate([{$match: {_id: 1}}, {$graphLookup: {from: 'meets', startWith: '$_id', "
        "connectFromField: '_id', connectToField: 'after', as: 'next'}}, "
        "{$project: {_id: 0, one: {$arrayElemAt: ['$next._id', 0]}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (
        "db.players.aggregate([{$group: {_id: '$team', best: {$top: {sortBy: {goals: -1}, output: '$name'}}}}])",
        {FindingKind.AMBIGUOUS},
    ),
    (
        "db.players.aggregate([{$setWindowFields: {partitionBy: '$team', sortBy: {goals: -1}, "
        "output: {n: {$documentNumber: {}}}}}, {$match: {n: 1}}, {$project: {_id: 0, name: 1}}])",
        {FindingKind.AMBIGUOUS},
    ),
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
        "db.players.find({place: {$near: [0, 0]}})",
    ],
)
def test_what_comes_in_no_open_order_is_left_alone(text: str) -> None:
    query, _ = gold_query(source(text))
    assert {perturbed(query, each) for each in Perturbation} == {None}


SORTED_OTHERWISE = [each for each in Perturbation if each not in ORDERS]


@pytest.mark.parametrize("projection", ["{tags: {$slice: 1}}", "{tags: {$elemMatch: {a: 1}}}"])
def test_a_projection_that_only_find_knows_is_asked_in_other_orders_by_find(projection: str) -> None:
    query, _ = gold_query(source(f"db.players.find({{}}, {projection}).sort({{goals: 1}})"))
    other = perturbed(query, Perturbation.DESCENDING)
    assert other is not None
    assert (other.operation, other.arguments["sort"]) == (Operation.FIND, {"goals": 1, "_id": -1})
    assert {perturbed(query, each) for each in SORTED_OTHERWISE} == {None}


def test_only_sorts_have_nulls_and_text() -> None:
    for each in SORTED_OTHERWISE:
        assert pipeline("db.players.aggregate([{$match: {a: 1}}, {$limit: 1}])", each) is None
        assert KEY in repr(pipeline("db.players.aggregate([{$sort: {a: 1}}])", each))


def test_a_sort_by_text_score_is_taken_as_it_is() -> None:
    text = 'db.players.aggregate([{$match: {$text: {$search: "a"}}}, {$sort: {score: {$meta: "textScore"}}}])'
    for each in SORTED_OTHERWISE:
        assert pipeline(text, each) is None
    assert {"score": {"$meta": "textScore"}, WHOLE: -1} in [
        stage.get("$sort") for stage in pipeline(text, Perturbation.DESCENDING)
    ]


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
    assert (other.path, other.index) == (query.path, query.index)
    assert other.arguments == {"sort": {"a": 1, "_id": 1}, "limit": -3, "collation": {"locale": "en"}}
    as_pipeline = perturbed(query, Perturbation.NULLS_LAST)
    assert as_pipeline is not None
    assert (as_pipeline.path, as_pipeline.index, as_pipeline.arguments["collation"]) == (("a",), 0, {"locale": "en"})
    assert {"$limit": 3} in as_pipeline.arguments["pipeline"]


class Counting(FakeExecutor):
    """Answers with as many rows as there are, up to the limit."""

    def __init__(self, size: int) -> None:
        self.size = size

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        return rows(*range(min(self.size, limits.rows)))


def test_gold_that_is_longer_than_the_rows_of_a_prediction_equals_itself() -> None:
    one = source("db.players.find()")
    gold = gold_compute(one, executor=Counting(30))
    item = CheckedItem(source=one, split=Split.PUBLIC, gold=gold)
    result = gold_check(["1"], lambda _: item, executor=Counting(30), limits=Limits(rows=10))
    assert (result.equal, result.findings) == (1, ())
    longer = gold_check(["1"], lambda _: item, executor=Counting(31), limits=Limits(rows=10))
    assert longer.equal == 0
