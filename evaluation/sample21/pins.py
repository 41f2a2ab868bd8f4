"""Keeps what a whole build found beside the sources, and tells where a later build differs from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmark_data.bundles.sample21.build import pin_difference
from benchmark_data.bundles.sample21.databases import FOLDER
from benchmark_data.bundles.sample21.release import RELEASE, UnpinnedSourcesError, read_release, release_text
from benchmark_data.validate import PREDICTIONS
from evaluation.sample21.measured import MEASURED, measured_text
from evaluation.sample21.whole_build import WholeBuild

REPORT: Final = FOLDER.parents[2] / "docs" / "organiser" / "sample21-report.md"


def pin(found: WholeBuild) -> None:
    """Write digests, measurements, predictions and report of a build without faults.

    Raises:
        OSError: the sources cannot be written to.
    """
    for path, text in _kept(found):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def pin_problems(found: WholeBuild) -> tuple[str, ...]:
    """A sentence for everything that a build found and that is not what was pinned."""
    problems = []
    if found.built is not None and found.ratings is not None:
        try:
            pinned, now = read_release(), found.built.release(found.ratings)
            problems += [pin_difference(pinned, now)] if pinned != now else []
        except UnpinnedSourcesError as error:
            problems.append(str(error))
    if found.measured is not None and not found.measured.is_gold_perfect:
        problems.append("Gold does not score 1 against itself.")
    problems += [
        f"{path.name} is not what this build gives."
        for path, text in _kept(found)
        if path != RELEASE and _text(path) != text
    ]
    return tuple(problems)


def _kept(found: WholeBuild) -> Iterator[tuple[Path, str]]:
    if found.built is None or found.ratings is None or found.measured is None or found.predictions is None:
        return
    yield RELEASE, release_text(found.built.release(found.ratings))
    yield MEASURED, measured_text(found.measured)
    for name, lines in found.predictions.items():
        yield FOLDER / PREDICTIONS / f"{name}.jsonl", "".join(lines)
    # An installed package has no documents beside it.
    if REPORT.parent.is_dir():
        yield REPORT, found.report


def _text(path: Path) -> str:
    """A kept file's text; "" where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""
