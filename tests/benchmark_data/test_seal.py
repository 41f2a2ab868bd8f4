"""A bundle changed by hand can be sealed anew."""

import dataclasses
from pathlib import Path

import pytest

from benchmark_data.errors import FaultyBundleError
from benchmark_data.items import item_line
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.validate import validate
from tests.benchmark_data.building import edit_item, item, small_bundle


def test_a_bundle_changed_by_hand_is_sealed_anew(tmp_path: Path) -> None:
    old = small_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 1, lambda record: record.update(question="How many boats float?"))
    with (tmp_path / "b" / "databases" / "lake" / "crews.jsonl").open("a") as file:
        file.write('{"_id":{"$numberInt":"2"}}\n')
    with (tmp_path / "b" / "items.jsonl").open("a") as file:
        file.write(item_line(item("9")))
    new = reseal(tmp_path / "b")
    assert len(new.items) == 4
    assert validate(tmp_path / "b") == ()
    assert load_bundle(tmp_path / "b") == new
    assert new.digest != old.digest
    assert dataclasses.replace(new, items=(), databases=(), digest="") == dataclasses.replace(
        old, items=(), databases=(), digest=""
    )


def test_a_faulty_bundle_is_not_sealed(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    before = (tmp_path / "b" / "manifest.json").read_bytes()
    edit_item(tmp_path / "b", 1, lambda record: record.pop("question"))
    with pytest.raises(FaultyBundleError):
        reseal(tmp_path / "b")
    assert (tmp_path / "b" / "manifest.json").read_bytes() == before
