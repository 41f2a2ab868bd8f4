"""The sample benchmark is what its sources make, byte for byte, and has what it promises."""

import io
import json
from collections import Counter
from dataclasses import dataclass

import pytest

from benchmark_data.bundles.sample21.build import Built, write_sample
from benchmark_data.bundles.sample21.databases import FOLDER, database_ids, sample_databases, unfinished_ids
from benchmark_data.bundles.sample21.inventory import PATTERNS, VERBS, patterns_of, verbs_of
from benchmark_data.bundles.sample21.release import RATINGS, read_release
from benchmark_data.types import Difficulty, Split
from benchmark_data.validate import PREDICTIONS, validate
from evaluation.bundle_gold import gold_problem
from evaluation.difficulty import difficulty_of
from evaluation.gold import gold_query
from evaluation.predictions.read import read_predictions
from evaluation.runner import gold_source
from evaluation.sample21.baselines import BASELINES, STRENGTHS, prediction_lines
from evaluation.sample21.measured import Shares, read_measured
from evaluation.sample21.pins import REPORT
from evaluation.sample21.report import figures_of, report_text
from evaluation.types import Condition

# One process builds the bundle once for all of these.
pytestmark = pytest.mark.xdist_group("sample21")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The bundle as its sources make it now."""
    pinned = read_release()
    return write_sample(
        tmp_path_factory.mktemp("sample21") / "bundle",
        samples=sample_databases(),
        ratings={db_id: one.difficulty for db_id, one in pinned.databases.items()},
        engine=pinned.engine,
    )


def test_every_folder_is_a_whole_database_and_there_are_twenty_one() -> None:
    assert unfinished_ids() == ()
    assert len(database_ids()) == 21


def test_the_sources_are_those_of_the_pinned_release(built: Built) -> None:
    pinned = read_release()
    assert built.release({db_id: one.difficulty for db_id, one in pinned.databases.items()}) == pinned


def test_the_bundle_has_no_fault_and_gold_that_can_be_read(built: Built) -> None:
    assert validate(built.bundle.root, check_query=gold_problem) == ()


def test_the_report_that_is_kept_is_that_of_the_sources(built: Built) -> None:
    measured = read_measured()
    assert measured.digest == built.bundle.digest
    assert report_text(figures_of(built), measured) == REPORT.read_text(encoding="utf-8")


def test_the_pinned_difficulties_are_those_of_the_rule(built: Built) -> None:
    databases = {database.db_id: database for database in built.bundle.databases}
    for item in built.bundle.items:
        query, _ = gold_query(gold_source(item, databases[item.db_id]))
        assert item.difficulty is difficulty_of(query), item.question_id


def test_difficulties_evidence_and_splits_have_the_shares_that_are_promised(built: Built) -> None:
    items = built.bundle.items
    assert len(items) >= 420
    rated = Counter(item.difficulty for item in items)
    for rating, share in zip(RATINGS, (0.6, 0.3, 0.1), strict=True):
        assert abs(rated[rating] / len(items) - share) < 0.04, rating
    assert 0.65 < sum(bool(item.evidence) for item in items) / len(items) < 0.77
    assert 0.57 < sum(item.split is Split.PUBLIC for item in items) / len(items) < 0.63
    assert sum("empty_answer" in item.flags for item in items) <= 6


@pytest.mark.parametrize("db_id", database_ids())
def test_a_database_has_items_of_every_kind(built: Built, db_id: str) -> None:
    items = [item for item in built.bundle.items if item.db_id == db_id]
    assert len(items) >= 20
    assert {item.difficulty for item in items} == set(Difficulty) - {Difficulty.UNRATED}
    assert {item.split for item in items} == set(Split)
    assert 0.5 < sum(bool(item.evidence) for item in items) / len(items) < 0.9


def test_together_the_designs_use_every_verb_and_pattern(built: Built) -> None:
    docmaps = [origin.docmap for origin in built.origins.values()]
    assert [verb for verb in VERBS if not any(verb in verbs_of(docmap) for docmap in docmaps)] == []
    assert [pattern for pattern in PATTERNS if not any(pattern in patterns_of(docmap) for docmap in docmaps)] == []
    assert 6.5 < sum(len(docmap.collections) for docmap in docmaps) / len(docmaps) < 7.7


def test_sources_have_the_size_that_is_promised(built: Built) -> None:
    for db_id, origin in built.origins.items():
        assert 4 <= origin.tables <= 12, db_id
        assert 300 <= origin.rows <= 20_000, db_id


@pytest.mark.parametrize("name", BASELINES)
def test_the_prediction_files_that_are_kept_are_those_of_the_code(built: Built, name: str) -> None:
    content = (FOLDER / PREDICTIONS / f"{name}.jsonl").read_bytes()
    assert "".join(prediction_lines(built.bundle, name)).encode() == content
    items = {item.question_id: item.db_id for item in built.bundle.items}
    found = read_predictions(io.BytesIO(content), name=f"{name}.jsonl", items=items, default_condition=None)
    assert found.conditions == tuple(Condition)
    assert all(found.texts[condition].keys() == items.keys() for condition in Condition)


def test_no_other_prediction_file_is_kept() -> None:
    assert {path.stem for path in (FOLDER / PREDICTIONS).iterdir()} == set(BASELINES)


def test_a_baseline_without_gold_looks_at_evidence_only_where_it_is_given(built: Built) -> None:
    name = next(iter(BASELINES))
    found: dict[str, dict[str, str]] = {}
    for line in prediction_lines(built.bundle, name):
        record = json.loads(line)
        found.setdefault(record["question_id"], {})[record["condition"]] = record["query"]
    for item in built.bundle.items:
        if not item.evidence:
            assert len(set(found[item.question_id].values())) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """The measured scores of one condition, by file."""

    by_name: dict[str, Shares]

    def strict(self, name: str) -> float:
        """Strict-EX."""
        return self.by_name[name].strict or 0.0


def board(condition: Condition) -> _Board:
    measured = read_measured()
    return _Board(
        by_name={
            name: one for name, found in measured.baselines.items() for one in found if one.condition == condition.value
        }
    )


@pytest.mark.parametrize("condition", Condition)
def test_the_board_of_the_baselines_makes_sense(condition: Condition) -> None:
    found = board(condition)
    damaged = [found.strict(f"gold-damaged-{strength}-percent") for strength in STRENGTHS]
    assert damaged == sorted(damaged, reverse=True)
    assert len(set(damaged)) == len(damaged)
    whole = found.by_name["gold-as-whole-documents"]
    assert (whole.soft or 0) > 0.95
    assert (whole.strict or 1) < 0.05
    assert 0 < found.strict("rule-based-keywords") < damaged[-1]


def test_gold_was_perfect_in_every_round_and_all_databases_were_proved_lossless() -> None:
    measured = read_measured()
    assert measured.is_gold_perfect
    assert [len(round_) for round_ in measured.gold] == [len(Condition)] * 2
    assert measured.instances == 3
    assert {one.verdict for one in measured.certificates.values()} == {"lossless"}
    assert measured.certificates.keys() == set(database_ids())
