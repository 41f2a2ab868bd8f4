"""The questions of two public databases, compiled and proved on both layouts."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.commands.docmap_sources import Engine, design_of, loaded, perturbed_files
from evaluation.equivalence_run import SqlQuestion, optimised, prove
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Limits
from tests.realdata import REALDATA, needs_realdata

pytestmark = [*needs_realdata, pytest.mark.engine, pytest.mark.xdist_group("bird")]

DESIGNS = Path(__file__).resolve().parents[2] / "benchmark_data" / "docmap" / "designs"


INSTANCES = {"one_to_one": 2, "access_pattern": 3}


@pytest.mark.parametrize("design", ["one_to_one", "access_pattern"])
@pytest.mark.parametrize("name", ["superhero", "beer_factory"])
def test_every_question_is_proved_equal_on_the_source_and_on_altered_copies(
    name: str, design: str, tmp_path: Path, executor: MongoExecutor, loader: DatabaseLoader, worker_id: str
) -> None:
    source = REALDATA / "bird" / name / f"{name}.sqlite"
    questions: list[dict[str, Any]] = json.loads((source.parent / "questions.json").read_text(encoding="utf-8"))
    given = design_of(source, DESIGNS / name / "docmap.yaml" if design == "access_pattern" else None)
    # Equal content is one database on the engine that all workers share, and this one is dropped at the end.
    given = replace(given, docmap=replace(given.docmap, db_id=f"{name}_{worker_id}_{design}"))
    files = [source, *perturbed_files(source, given, tmp_path, INSTANCES[design] - 1)]
    engine = Engine(executor=executor, loader=loader)
    with loaded(given, files, engine=engine, limits=Limits(), folder=tmp_path) as found:
        proofs = []
        for each in questions:
            question = SqlQuestion(question_id=str(each["question_id"]), sql=each["SQL"])
            proof = prove(question, bench=found.bench, schema=found.schema, layout=found.layout)
            proofs.append(optimised(question, proof, bench=found.bench, schema=found.schema, layout=found.layout))
    for instance in found.bench.instances:
        loader.drop(instance.database)
    assert {proof.question_id: proof.reason for proof in proofs if not proof.is_proved} == {}
    assert {len(proof.verdicts) for proof in proofs} == {INSTANCES[design]}
    precomputed = [proof.question_id for proof in proofs if "precomputed" in proof.flags]
    assert bool(precomputed) == (design == "access_pattern")
