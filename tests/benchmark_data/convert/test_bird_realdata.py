"""The real BIRD files are read without a fault."""

import json
from pathlib import Path

from benchmark_data.convert.bird import convert
from benchmark_data.convert.descriptions import read_descriptions
from benchmark_data.convert.options import ConversionOptions
from tests.benchmark_data.convert.dumps import put
from tests.realdata import REALDATA, needs_realdata

pytestmark = needs_realdata


def test_dev_has_1534_questions_of_11_databases(tmp_path: Path) -> None:
    source = REALDATA / "bird" / "dev.json"
    questions = json.loads(source.read_text(encoding="utf-8"))
    for db_id in {question["db_id"] for question in questions}:
        put(tmp_path / "dump" / db_id / "things.bson", [{"_id": 1}])
    put(tmp_path / "gold.json", {str(question["question_id"]): "db.things.find()" for question in questions})
    options = ConversionOptions(
        name="bird", version="1", license="CC-BY-SA-4.0", databases=tmp_path / "dump", gold=tmp_path / "gold.json"
    )
    bundle = convert(source, tmp_path / "b", options=options).bundle
    assert (len(bundle.items), len(bundle.databases)) == (1534, 11)
    assert [item.sql for item in bundle.items] == [question["SQL"] for question in questions]


def test_the_real_descriptions_are_read_without_a_fault() -> None:
    found = read_descriptions(REALDATA / "bird" / "superhero")
    assert found.faults == ()
    assert len({column.table for column in found.columns}) == 10
    assert all(column.column for column in found.columns)
