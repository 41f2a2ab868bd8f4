"""The JSON Schema and the validator agree on what a bundle is."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import benchmark_data
from benchmark_data.bundles.generate import TINY
from benchmark_data.convert import tend
from benchmark_data.load import load_bundle
from benchmark_data.validate import validate
from tests.benchmark_data.building import described_bundle, edit_line, edit_manifest
from tests.realdata import REALDATA

SCHEMA = json.loads(Path(benchmark_data.__file__).with_name("bundle.schema.json").read_text(encoding="utf-8"))
MANIFEST = Draft202012Validator(SCHEMA)
LINES = {"items.jsonl": "item", "cards.jsonl": "card_line", "gold.jsonl": "gold_answer"}
Change = Callable[[Any], object]


def schema_faults(root: Path) -> list[str]:
    """What the schema finds wrong, in the manifest and in every line."""
    found = [str(error.message) for error in MANIFEST.iter_errors(json.loads((root / "manifest.json").read_text()))]
    for name, definition in LINES.items():
        lines = Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{definition}"} | _without_root())
        for record in _records(root / name):
            found.extend(str(error.message) for error in lines.iter_errors(record))
    return found


def _without_root() -> dict[str, Any]:
    return {"properties": {}, "required": [], "additionalProperties": True, "if": True, "then": True}


def _records(path: Path) -> Iterator[Any]:
    if path.is_file():
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_tiny_bundle_fits() -> None:
    assert schema_faults(TINY) == []


def test_a_bundle_with_everything_fits(tmp_path: Path) -> None:
    described_bundle(tmp_path / "b")
    assert schema_faults(tmp_path / "b") == []
    assert validate(tmp_path / "b") == ()
    load_bundle(tmp_path / "b")


@pytest.mark.realdata
@pytest.mark.skipif(not REALDATA.is_dir(), reason="no real data")
def test_the_bundle_made_of_tend_fits(tmp_path: Path) -> None:
    tend.convert(REALDATA / "tend", tmp_path / "b")
    assert schema_faults(tmp_path / "b") == []


def collection(change: Change) -> Change:
    return lambda manifest: change(manifest["databases"][0]["collections"][0])


BROKEN: list[tuple[str, Change]] = [
    ("manifest.json", lambda m: m.pop("license")),
    ("manifest.json", lambda m: m.update(format_version="0.8")),
    ("manifest.json", lambda m: m.update(format_version="0.9")),
    ("manifest.json", lambda m: m.update(name="No Name")),
    ("manifest.json", lambda m: m.update(title="  ")),
    ("manifest.json", lambda m: m.update(citation=None)),
    ("manifest.json", lambda m: m.update(private="yes")),
    ("manifest.json", lambda m: m.update(digest="A" * 64)),
    ("manifest.json", lambda m: m.update(licence="MIT")),
    ("manifest.json", lambda m: m.update(databases=[])),
    ("manifest.json", lambda m: m["engine"].update(mongodb="seven")),
    ("manifest.json", lambda m: m["engine"].update(mongodb=7)),
    ("manifest.json", lambda m: m["engine"].update(features=["a", ""])),
    ("manifest.json", lambda m: m["engine"].update(name="x")),
    ("manifest.json", lambda m: m["items"].update(file="other.jsonl")),
    ("manifest.json", lambda m: m["cards"].pop("sha256")),
    ("manifest.json", lambda m: m["gold"].update(count=-1)),
    ("manifest.json", lambda m: m["databases"][0].update(db_id="a b")),
    ("manifest.json", lambda m: m["databases"][0].update(description=5)),
    ("manifest.json", lambda m: m["databases"][0].update(collections=[])),
    ("manifest.json", collection(lambda c: c.update(name="a$b"))),
    ("manifest.json", collection(lambda c: c.update(name="system.users"))),
    ("manifest.json", collection(lambda c: c.update(name="a..b"))),
    ("manifest.json", collection(lambda c: c.update(file="databases/../boats.jsonl"))),
    ("manifest.json", collection(lambda c: c.update(file="databases/./boats.jsonl"))),
    ("manifest.json", collection(lambda c: c.update(file="elsewhere/boats.jsonl"))),
    ("manifest.json", collection(lambda c: c.update(documents="2"))),
    ("manifest.json", collection(lambda c: c.update(indexes=[{"keys": []}]))),
    ("manifest.json", collection(lambda c: c.update(indexes=[{"keys": [["a", 2]]}]))),
    ("manifest.json", collection(lambda c: c.update(indexes=[{"keys": [["a.$b", 1]]}]))),
    ("manifest.json", collection(lambda c: c.update(fields={"tons": 5}))),
    ("manifest.json", collection(lambda c: c.update(fields=["tons"]))),
    ("manifest.json", collection(lambda c: c["relations"][0].pop("field"))),
    ("manifest.json", collection(lambda c: c["relations"][0].update(guessed=True))),
    ("items.jsonl", lambda i: i.pop("evidence")),
    ("items.jsonl", lambda i: i.update(question_id="a b")),
    ("items.jsonl", lambda i: i.update(question_id=1.5)),
    ("items.jsonl", lambda i: i.update(difficulty="hard")),
    ("items.jsonl", lambda i: i.update(split="secret")),
    ("items.jsonl", lambda i: i.update(gold_query="")),
    ("items.jsonl", lambda i: i.update(array_order=None)),
    ("items.jsonl", lambda i: i.update(sql=5)),
    ("items.jsonl", lambda i: i.update(flags="gold_ambiguous")),
    ("items.jsonl", lambda i: i.update(flags=["Not Snake"])),
    ("items.jsonl", lambda i: i.update(flags=["twice", "twice"])),
    ("items.jsonl", lambda i: i.update(hint="x")),
    ("cards.jsonl", lambda c: c.pop("sha256")),
    ("cards.jsonl", lambda c: c.update(card=[])),
    ("cards.jsonl", lambda c: c["card"].pop("documents")),
    ("cards.jsonl", lambda c: c["card"]["fields"][0].update(share=1.5)),
    ("cards.jsonl", lambda c: c["card"]["fields"][0].update(numbers=[1])),
    ("cards.jsonl", lambda c: c["card"]["fields"][0].update(examples=[{}])),
    ("cards.jsonl", lambda c: c["card"].update(extra=1)),
    ("gold.jsonl", lambda g: g.pop("engine")),
    ("gold.jsonl", lambda g: g.update(kind="table")),
    ("gold.jsonl", lambda g: g.pop("rows")),
    ("gold.jsonl", lambda g: g.update(failure="too slow")),
    ("gold.jsonl", lambda g: g.update(question_id=None)),
    ("gold.jsonl", lambda g: g.update(rows={})),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_broken_is_refused_by_both(tmp_path: Path, number: int) -> None:
    file, change = BROKEN[number]
    described_bundle(tmp_path / "b")
    damage(tmp_path / "b", file, change)
    assert schema_faults(tmp_path / "b") != []
    assert [fault for fault in validate(tmp_path / "b") if fault.file == file and fault.rule != "wrong_digest"]


FREE: list[tuple[str, Change]] = [
    ("manifest.json", lambda m: m.update(citation="")),
    ("manifest.json", lambda m: m.update(private=True)),
    ("manifest.json", lambda m: m.pop("engine")),
    ("manifest.json", lambda m: m["engine"].pop("features")),
    ("manifest.json", lambda m: m["engine"].update(mongodb=None)),
    ("manifest.json", lambda m: m["databases"][0].update(description=None)),
    ("manifest.json", collection(lambda c: c.update(fields={}, relations=[]))),
    ("items.jsonl", lambda i: i.update(question_id=1)),
    ("items.jsonl", lambda i: i.update(sql=None, flags=[])),
    ("cards.jsonl", lambda c: c["card"].update(truncated=True, relations=[])),
    ("gold.jsonl", lambda g: g.update(question_id=1, rows=[])),
]


@pytest.mark.parametrize("number", range(len(FREE)))
def test_what_may_be_otherwise_is_taken_by_both(tmp_path: Path, number: int) -> None:
    file, change = FREE[number]
    described_bundle(tmp_path / "b")
    damage(tmp_path / "b", file, change)
    assert schema_faults(tmp_path / "b") == []
    assert {fault.rule for fault in validate(tmp_path / "b")} <= {"wrong_digest"}


def damage(root: Path, file: str, change: Change) -> None:
    if file == "manifest.json":
        edit_manifest(root, change)
    else:
        edit_line(root / file, 1, change)
