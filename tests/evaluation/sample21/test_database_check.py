"""All faults of a database's sources come in one answer; without any, the whole can be built and measured."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.databases import DESIGN
from benchmark_data.validate import validate
from evaluation.bundle_gold import gold_problem
from evaluation.sample21.baselines import BASELINES
from evaluation.sample21.database_check import check_database
from evaluation.sample21.instances import Engine
from evaluation.sample21.pins import pin_problems
from evaluation.sample21.whole_build import whole_build
from tests.benchmark_data.bundles.sample21.bakery import DOCMAP_TEXT, ITEMS_TEXT, bakery, tables

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("sample21_bakery")]


def twenty_items() -> str:
    """Twenty items that ask for different things in different words."""
    lines = []
    for number in range(1, 21):
        grams = 500 + 30 * number
        words = " ".join(chr(96 + number) * length for length in range(3, 9))
        lines.append(
            f"- id: {number}\n"
            f"  question: How many bakers {words} ({grams} g)?\n"
            f"  evidence: a loaf's weight is `loaves.grams`\n"
            f"  sql: SELECT count(DISTINCT baker_id) FROM loaf WHERE grams > {grams}\n"
            f"  mql: 'db.bakers.countDocuments({{\"loaves.grams\": {{$gt: {grams}}}}})'\n"
        )
    return "".join(lines)


def rules(faults: tuple[object, ...]) -> list[str]:
    return [str(getattr(fault, "rule", "")) for fault in faults]


def test_every_fault_of_the_items_is_told_with_its_line(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    sample = bakery(sources, items=ITEMS_TEXT.replace('village: "Elmstead"', 'village: "Fosse"'))
    (sources / DESIGN).unlink()
    found = check_database(sample, engine, tmp_path)
    assert rules(found.faults) == ["missing_source", "few_items", "not_equal"]
    assert found.faults[-1].file == "bakery/items.yaml"
    assert found.faults[-1].line == 5
    assert found.faults[-1].field == "1.mql"
    assert any("3 items, 1 with evidence" in figure for figure in found.figures)


def test_a_faulty_docmap_is_told_along_with_faulty_items(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    sample = bakery(sources, docmap=DOCMAP_TEXT.replace("name: name", "name: nme"), items="- {id: 1}")
    found = check_database(sample, engine, tmp_path)
    assert {fault.file for fault in found.faults} == {"bakery/docmap.yaml", "bakery/items.yaml"}
    assert rules(found.faults)[-4:] == [*["missing_key"] * 3, "few_items"]


def test_a_docmap_that_loses_rows_is_a_fault(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    docmap = DOCMAP_TEXT.replace(
        "village: {column: village, null: omit}", "village: {column: village, type: int, stored: text, on_fail: 'null'}"
    )
    found = check_database(bakery(sources, docmap=docmap), engine, tmp_path)
    assert rules(found.faults)[:3] == ["lossy"] * 3
    assert "baker has" in found.faults[0].message


def test_rows_that_chance_does_not_move_are_a_fault(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    sample = bakery(sources)
    stuck = replace(sample, tables=lambda _: tables(sample.dice(1)))
    assert "seed_unused" in rules(check_database(stuck, engine, tmp_path).faults)


def test_a_failed_check_of_the_docmap_is_a_fault(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    sample = bakery(sources, docmap=DOCMAP_TEXT.replace("SELECT count(*) FROM loaf", "SELECT 299"))
    assert "failed_check" in rules(check_database(sample, engine, tmp_path).faults)


def test_sources_without_fault_become_a_measured_bundle(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    steps: list[str] = []
    found = whole_build(
        [bakery(sources, items=twenty_items())],
        [engine],
        work=tmp_path,
        bundle=tmp_path / "bundle",
        advance=lambda count, text: steps.extend([text] * count),
    )
    assert [rules(check.faults) for check in found.checks] == [[]]
    assert validate(tmp_path / "bundle", check_query=gold_problem) == ()
    assert found.measured is not None
    assert found.measured.is_gold_perfect
    assert found.measured.baselines.keys() == set(BASELINES)
    assert found.measured.certificates["bakery"].verdict == "lossless"
    assert found.certificates["bakery"].is_lossless
    boundary = found.measured.noticed["bakery"]["boundary moved"]
    assert boundary.mutants == 20
    assert 0 <= boundary.caught <= 20
    assert f"| boundary moved | 20 | {boundary.caught} |" in found.report
    assert "1 of 1 lossless" in found.report
    assert steps.count("gold") == 20 * 2 * 2
    assert any("not those of the release" in problem or "cannot be read" in problem for problem in pin_problems(found))


def test_nothing_is_built_of_faulty_sources(engine: Engine, tmp_path: Path) -> None:
    (sources := tmp_path / "bakery").mkdir()
    found = whole_build([bakery(sources)], [engine], work=tmp_path, bundle=tmp_path / "x", advance=lambda *_: None)
    assert rules(found.checks[0].faults) == ["few_items"]
    assert found.built is None
    assert not (tmp_path / "x").exists()
