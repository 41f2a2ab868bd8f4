"""A pinned release is read back as it was written, and says how sources differ from it."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.build import pin_difference
from benchmark_data.bundles.sample21.release import (
    PinnedDatabase,
    Release,
    UnpinnedSourcesError,
    read_release,
    release_text,
)
from benchmark_data.types import Difficulty, EngineRequirements

ONE = PinnedDatabase(
    rows="a" * 64, digest="b" * 64, difficulty={1: Difficulty.SIMPLE, 2: Difficulty.CHALLENGING, 3: Difficulty.MODERATE}
)
RELEASE = Release(
    digest="c" * 64,
    items="d" * 64,
    engine=EngineRequirements(mongodb="5.0", features=("$dateDiff",)),
    databases={"bakery": ONE, "market": replace(ONE, rows="e" * 64)},
)


def test_a_release_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "release.json"
    path.write_text(release_text(RELEASE))
    assert read_release(path) == RELEASE


@pytest.mark.parametrize("text", [None, "{", "[]", '{"databases": {}}', '{"databases": {"x": {}}}'])
def test_a_file_that_is_no_release_is_refused(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "release.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UnpinnedSourcesError, match=r"release\.json cannot be read"):
        read_release(path)


DIFFERENCES = [
    ({"databases": {"bakery": ONE}}, "not those of the release: market"),
    ({"databases": {**RELEASE.databases, "bakery": replace(ONE, rows="f" * 64)}}, "bakery (rows) differ"),
    ({"databases": {**RELEASE.databases, "bakery": replace(ONE, digest="f" * 64)}}, "bakery (documents) differ"),
    ({"databases": {**RELEASE.databases, "bakery": replace(ONE, difficulty={})}}, "bakery (difficulties) differ"),
    ({"items": "f" * 64}, "the items differ"),
]


@pytest.mark.parametrize(("changed", "words"), DIFFERENCES, ids=[words for _, words in DIFFERENCES])
def test_a_difference_is_named(changed: dict[str, object], words: str) -> None:
    assert words in pin_difference(RELEASE, replace(RELEASE, **changed))  # type: ignore[arg-type]
