"""What scoring costs beside executing: the whole path against a bare loop over the same queries on the same engine."""

import os
import tempfile
from pathlib import Path

from benchmark_data.bundles.sample21.build import sample21_build
from benchmark_data.convert.tend import convert
from tests.bench.measurement import Measurement
from tests.bench.site import measured_in_site
from tests.realdata import REALDATA

TEND_LIMIT = 2.0
BUNDLE_LIMIT = 1.25
NAMED = os.environ.get("APTBOARD_BENCH_BUNDLE", "")


def measure() -> list[Measurement]:
    """The ratio on TEND (tiny answers), and on the sample benchmark or what APTBOARD_BENCH_BUNDLE names."""
    return [*_tend(), *(_bundle(Path(NAMED)) if NAMED else _sample())]


def _tend() -> list[Measurement]:
    source = REALDATA / "tend"
    if not source.is_dir():
        return [_skipped("TEND", f"no data at {source}")]
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "tend"
        convert(source, bundle)
        return _measured("TEND", bundle, TEND_LIMIT)


def _sample() -> list[Measurement]:
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "sample21"
        sample21_build(bundle)
        return _measured("sample21", bundle, BUNDLE_LIMIT)


def _bundle(bundle: Path) -> list[Measurement]:
    if not (bundle / "manifest.json").is_file():
        return [_skipped(bundle.name, f"no bundle at {bundle}")]
    return _measured(bundle.name, bundle, BUNDLE_LIMIT)


def _skipped(name: str, why: str) -> Measurement:
    return Measurement(name=f"{name}: scoring against bare execution", value=0, unit="×", target=f"skipped: {why}")


def _measured(name: str, bundle: Path, limit: float) -> list[Measurement]:
    return measured_in_site("tests.bench.overhead_run", name, str(bundle), str(limit))
