"""What is known is not done again: a file that is submitted once more against its first run."""

import tempfile
from pathlib import Path

from benchmark_data.convert.tend import convert
from tests.bench.measurement import Measurement
from tests.bench.site import ROOT, measured_in_site
from tests.realdata import REALDATA


def measure() -> list[Measurement]:
    """The speed-up on TEND, or on the sample benchmark where TEND is absent."""
    source = REALDATA / "tend"
    if not source.is_dir():
        return _sample(ROOT / "benchmark_data" / "bundles" / "sample21")
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "tend"
        convert(source, bundle)
        return measured_in_site("tests.bench.reuse_run", str(bundle))


def _sample(bundle: Path) -> list[Measurement]:
    if (bundle / "manifest.json").is_file():
        return measured_in_site("tests.bench.reuse_run", str(bundle))
    return [Measurement(name="a file submitted again", value=0, unit="×", target=f"skipped: no bundle at {bundle}")]
