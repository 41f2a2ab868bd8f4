"""Writing a bundle: repeatable, checked, and all or nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.errors import LISTED_FAULTS, Fault, FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.types import Bundle, Item
from benchmark_data.validate import validate
from benchmark_data.write import CollectionSource, DatabaseSource, Step, write_bundle
from tests.benchmark_data.building import HEADER, item, small_bundle
from tests.benchmark_data.test_extended_json import DOCUMENTS


def write(folder: Path, *documents: Any, items: tuple[Item | Fault, ...] = (item(),), **options: Any) -> Bundle:
    source = CollectionSource(name="boats", documents=documents, origin="boats.json")
    lake = DatabaseSource(db_id="lake", collections=(source,))
    return write_bundle(folder, header=HEADER, databases=(lake,), items=items, **options)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@given(
    st.lists(
        DOCUMENTS.map(lambda document: {key: value for key, value in document.items() if key != "_id"}), max_size=4
    )
)
@settings(deadline=None, max_examples=25)
def test_documents_and_digest_survive_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory, documents: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("round") / "b"
    written = write(folder, *documents)
    loaded = load_bundle(folder)
    assert loaded.digest == written.digest
    again = list(read_documents(loaded.databases[0].collections[0]))
    assert [bson.encode(document) for document in again] == [bson.encode(document) for document in documents]
    assert write(folder.parent / "c", *again).digest == written.digest


def test_the_same_records_give_the_same_bytes_and_a_valid_bundle(tmp_path: Path) -> None:
    small_bundle(tmp_path / "a")
    small_bundle(tmp_path / "b")
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    assert validate(tmp_path / "a") == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_everybody_who_may_read_the_parent_may_read_the_bundle(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    plain = tmp_path / "plain"
    plain.mkdir()
    assert (tmp_path / "b").stat().st_mode == plain.stat().st_mode


def test_odd_collection_names_get_plain_file_names(tmp_path: Path) -> None:
    names = ["a/b", "/x", "Pets", "pets", "büro", "a b", "x" * 180, "x" * 181]
    sources = [CollectionSource(name=name, documents=({"n": name},)) for name in names]
    lake = DatabaseSource(db_id="lake", collections=sources)
    bundle = write_bundle(tmp_path / "b", header=HEADER, databases=(lake,), items=(item(),))
    found = {c.name: list(read_documents(c)) for c in bundle.databases[0].collections}
    assert found == {name: [{"n": name}] for name in names}
    files = [path.name.lower() for path in (tmp_path / "b" / "databases" / "lake").iterdir()]
    assert len(set(files)) == len(names)
    assert validate(tmp_path / "b") == ()


def test_all_faults_of_all_records_are_raised_and_nothing_is_written(tmp_path: Path) -> None:
    given_fault = Fault(file="x.json", line=3, rule="bad_json", message="not JSON.")
    with pytest.raises(FaultyBundleError) as caught:
        write(
            tmp_path / "b",
            {"_id": 1, "a": {"$b": 1}},
            {"_id": 2},
            given_fault,
            {"_id": 2, "c": 1},
            items=(given_fault, item()),
        )
    assert [str(fault).split(":")[0:2] for fault in caught.value.faults] == [
        ["boats.json", " boats[0].a.$b"],
        ["boats.json", "3"],
        ["boats.json", " boats[3]._id"],
        ["x.json", "3"],
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "faulty", [item(db_id="pond"), item(question="\ud800"), item(question_id="a b"), item(gold_query="")]
)
def test_records_that_would_not_load_are_not_written(tmp_path: Path, faulty: Item) -> None:
    with pytest.raises(FaultyBundleError):
        write(tmp_path / "b", items=(faulty,))
    assert list(tmp_path.iterdir()) == []


def test_an_importer_that_breaks_off_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise KeyboardInterrupt

    source = DatabaseSource(db_id="lake", collections=(CollectionSource(name="a", documents=broken()),))
    with pytest.raises(KeyboardInterrupt):
        write_bundle(tmp_path / "b", header=HEADER, databases=(source,), items=(item(),))
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_is_replaced_only_when_asked(tmp_path: Path) -> None:
    old = small_bundle(tmp_path / "b")
    with pytest.raises(FaultyBundleError, match="ask for overwriting"):
        write(tmp_path / "b", {"a": 1})
    assert load_bundle(tmp_path / "b") == old
    new = write(tmp_path / "b", {"a": 1}, overwrite=True)
    assert load_bundle(tmp_path / "b") == new != old
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_failed_replacement_leaves_the_old_bundle(tmp_path: Path) -> None:
    old = small_bundle(tmp_path / "b")
    with pytest.raises(FaultyBundleError):
        write(tmp_path / "b", {"$a": 1}, overwrite=True)
    assert load_bundle(tmp_path / "b") == old


def test_a_folder_with_other_things_in_it_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "thesis.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    for name in ("b", "file", "link"):
        with pytest.raises(FaultyBundleError):
            write(tmp_path / name, {"a": 1}, overwrite=True)
    assert (tmp_path / "b" / "thesis.txt").read_text() == "mine"


def test_an_empty_folder_is_as_good_as_none_and_parents_are_made(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    write(tmp_path / "b", {"a": 1})
    write(tmp_path / "new" / "deep" / "b", {"a": 1})
    assert tree(tmp_path / "b") == tree(tmp_path / "new" / "deep" / "b")


def test_progress_tells_of_each_database(tmp_path: Path) -> None:
    steps: list[Step] = []
    write(tmp_path / "b", {"a": 1}, {"a": 2}, progress=steps.append, total=1)
    assert steps == [Step(db_id="lake", documents=2, total=1)]


def test_faults_that_a_source_only_counted_are_in_the_total(tmp_path: Path) -> None:
    log = FaultLog("questions.json")
    for line in range(1, LISTED_FAULTS + 51):
        log.add("missing_field", "this field is missing.", line=line)
    with pytest.raises(FaultyBundleError) as raised:
        write(tmp_path / "b", items=log.summary)
    assert raised.value.total == LISTED_FAULTS + 50
    assert len(raised.value.faults) == LISTED_FAULTS
