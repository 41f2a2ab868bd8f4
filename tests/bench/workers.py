"""Whether workers share the work of one run: two of them against one, on an engine that takes 5 ms for a query."""

from tests.bench.measurement import Measurement
from tests.bench.site import measured_in_site


def measure() -> list[Measurement]:
    """The speed-up by a second worker."""
    return measured_in_site("tests.bench.workers_run")
