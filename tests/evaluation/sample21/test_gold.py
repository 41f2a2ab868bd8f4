"""The quick build is the pinned bundle, and its gold scores 1 against itself, whatever the order of items."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmark_data.bundles.generate import TINY
from benchmark_data.bundles.sample21.release import read_release
from benchmark_data.load import load_bundle
from benchmark_data.validate import PREDICTIONS
from evaluation.commands.bundle import bundle as bundle_commands
from evaluation.sample21.baselines import BASELINES
from evaluation.sample21.instances import Engine
from evaluation.sample21.scoring import baseline_shares, loaded_privately, shuffled
from evaluation.types import Condition

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("sample21")]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the quick build wrote."""
    folder = tmp_path_factory.mktemp("quick") / "made"
    done = CliRunner().invoke(bundle_commands, ["build", "sample21", str(folder), "--quick"])
    assert done.exit_code == 0, done.output
    return folder


def test_the_quick_build_is_the_pinned_bundle_with_its_predictions(made: Path) -> None:
    assert load_bundle(made).digest == read_release().digest
    assert {path.stem for path in (made / PREDICTIONS).iterdir()} == set(BASELINES)


def test_a_bundle_that_is_there_is_not_replaced_unasked(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.rglob("*")}
    again = CliRunner().invoke(bundle_commands, ["build", "sample21", str(made), "--quick"])
    assert (again.exit_code, "in use" in again.stderr) == (2, True)
    assert {path: path.stat().st_mtime_ns for path in made.rglob("*")} == before


def test_gold_is_right_on_every_database(engine: Engine, made: Path) -> None:
    bundle = load_bundle(made)
    gold = {condition: {item.question_id: item.gold_query for item in bundle.items} for condition in Condition}
    with loaded_privately(bundle, engine) as loaded:
        found = baseline_shares(shuffled(loaded, 7), {"gold": gold}, engine)["gold"]
    assert [(one.condition, one.items, one.strict, one.soft, one.executed) for one in found] == [
        (condition.value, len(bundle.items), 1, 1, 1) for condition in Condition
    ]


def test_items_are_shuffled_by_a_drawn_order() -> None:
    bundle = load_bundle(TINY)
    first, again, second = (shuffled(bundle, number).items for number in (1, 1, 2))
    assert first == again != second
    assert first != bundle.items
    assert sorted(item.question_id for item in first) == sorted(item.question_id for item in bundle.items)
