"""Where the real data for trials lies, outside the project."""

import os
from pathlib import Path

import pytest

REALDATA = Path(os.environ.get("APTBOARD_REALDATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

needs_realdata = [
    pytest.mark.realdata,
    pytest.mark.skipif(not REALDATA.is_dir(), reason=f"no real data at {REALDATA} (set APTBOARD_REALDATA)"),
]
