"""Asking a model: a condition of 420 items at 50 ms a reply and 16 calls at once, against the ideal."""

from tests.bench.measurement import Measurement
from tests.bench.site import measured_in_site


def measure() -> list[Measurement]:
    """The time of a worker's whole turn, from its claim to the batches that judge the replies."""
    return measured_in_site("tests.bench.generation_run")
