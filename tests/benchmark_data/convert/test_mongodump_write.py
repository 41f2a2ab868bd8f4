"""A bundle becomes a dump, and the dump becomes the bundle again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import benchmark_data.bundles
from benchmark_data.convert.mongodump import convert
from benchmark_data.convert.mongodump_write import write_dump
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle
from tests.benchmark_data.building import small_bundle

TINY = Path(benchmark_data.bundles.__path__[0]) / "tiny"


@pytest.mark.parametrize("packed", [False, True])
def test_the_round_trip_keeps_digest_items_and_header(tmp_path: Path, packed: bool) -> None:
    for number, bundle in enumerate((small_bundle(tmp_path / "small"), load_bundle(TINY))):
        write_dump(bundle, tmp_path / f"dump{number}", packed=packed)
        again = convert(tmp_path / f"dump{number}", tmp_path / f"again{number}").bundle
        assert again.digest == bundle.digest
        assert again.items == bundle.items
        assert replace(again, root=bundle.root, databases=(), cards=None, gold=None) == replace(
            bundle, databases=(), cards=None, gold=None
        )


def test_the_same_bundle_gives_the_same_bytes(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "small")
    for name in ("a", "b"):
        write_dump(bundle, tmp_path / name, packed=True)
    files = [path.relative_to(tmp_path / "a") for path in sorted((tmp_path / "a").rglob("*")) if path.is_file()]
    assert [file.as_posix() for file in files] == [
        "bundle.json", "items.jsonl",
        "lake/boats.bson.gz", "lake/boats.metadata.json.gz", "lake/crews.bson.gz", "lake/crews.metadata.json.gz",
        "wood/birds.bson.gz", "wood/birds.metadata.json.gz",
    ]  # fmt: skip
    assert [(tmp_path / "a" / f).read_bytes() for f in files] == [(tmp_path / "b" / f).read_bytes() for f in files]


def test_the_metadata_is_what_mongorestore_reads(tmp_path: Path) -> None:
    write_dump(small_bundle(tmp_path / "small"), tmp_path / "dump")
    content = json.loads((tmp_path / "dump" / "lake" / "boats.metadata.json").read_text())
    assert content["collectionName"] == "boats"
    assert [index["name"] for index in content["indexes"]] == ["_id_", "name_1"]
    assert content["indexes"][1] == {"v": {"$numberInt": "2"}, "key": {"name": {"$numberInt": "1"}}, "name": "name_1",
                                     "unique": True}  # fmt: skip


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "small")
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump" / "mine").write_text("x")
    with pytest.raises(FaultyBundleError, match="no empty folder"):
        write_dump(bundle, tmp_path / "dump")
    assert [path.name for path in (tmp_path / "dump").iterdir()] == ["mine"]


def test_a_document_that_cannot_be_read_leaves_nothing_behind(tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "small")
    bundle.databases[1].collections[0].path.write_text("oops\n")
    with pytest.raises(FaultyBundleError):
        write_dump(bundle, tmp_path / "dump")
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
