"""The real TEND files convert as a whole."""

from pathlib import Path

from benchmark_data.convert.tend import convert
from benchmark_data.validate import validate
from tests.realdata import REALDATA, needs_realdata

pytestmark = needs_realdata


def test_tend_has_74_databases_and_1495_items_and_no_fault(tmp_path: Path) -> None:
    report = convert(REALDATA / "tend", tmp_path / "b")
    assert (len(report.bundle.databases), len(report.bundle.items), report.documents) == (74, 1495, 2186)
    assert validate(tmp_path / "b") == ()
    assert convert(REALDATA / "tend", tmp_path / "c").bundle.digest == report.bundle.digest
