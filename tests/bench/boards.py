"""Whether the board stays right and fast at 10,000 finished runs: ranking, pages, scheduling and memory."""

from tests.bench.measurement import Measurement
from tests.bench.site import measured_in_site


def measure() -> list[Measurement]:
    """The figures of a site of 10,000 entries that were judged on 1,000 items each."""
    return measured_in_site("tests.bench.boards_run", "10000", "1000")
