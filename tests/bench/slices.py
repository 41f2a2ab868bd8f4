"""A board of 10,000 entries that is browsed by database and difficulty, and downloaded."""

from tests.bench.measurement import Measurement
from tests.bench.site import measured_in_site


def measure() -> list[Measurement]:
    """Ranks inside 24 slices, the pages on them, and the files."""
    return measured_in_site("tests.bench.slices_run")
