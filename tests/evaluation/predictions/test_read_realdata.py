"""Prediction files as the community writes them are read."""

import json
from pathlib import Path

import pytest

from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionFormat, PredictionSet
from evaluation.types import Condition
from tests.realdata import REALDATA, needs_realdata

pytestmark = needs_realdata

WITH = Condition.WITH_EVIDENCE


def read(path: Path, questions: Path) -> PredictionSet:
    items = {str(question["question_id"]): question["db_id"] for question in json.loads(questions.read_text())}
    with path.open("rb") as file:
        return read_predictions(file, name=path.name, items=items, default_condition=WITH)


@pytest.mark.parametrize(
    ("name", "predicted"),
    [
        ("predict_dev-codes-15b-bird.json", 1534),
        ("predict_dev-codes-15b-bird-with-evidence.json", 1534),
        ("predict_dev-turbo-with-evidence.json", 1520),
    ],
)
def test_bird_files_are_read_and_zeros_are_missing(name: str, predicted: int) -> None:
    found = read(REALDATA / "bird" / "predictions" / name, REALDATA / "bird" / "dev.json")
    assert found.format is PredictionFormat.BIRD_DICTIONARY
    assert len(found.texts[WITH]) == predicted
    assert not any("bird" in text for text in found.texts[WITH].values())


@pytest.mark.parametrize(("name", "predicted"), [("a", 157), ("b", 184), ("c", 184)])
def test_tend_files_are_read_and_empty_texts_are_missing(name: str, predicted: int) -> None:
    found = read(REALDATA / "tend" / f"predictions_{name}.json", REALDATA / "tend" / "questions.json")
    assert found.format is PredictionFormat.DICTIONARY
    assert len(found.texts[WITH]) == predicted
