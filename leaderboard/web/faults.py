"""How the faults of a prediction file are summed up, in pages and in the API."""

from benchmark_data.errors import FaultyFileError


def fault_summary(error: FaultyFileError) -> str:
    """One sentence: how many faults there are, and how many are listed where that is fewer."""
    found = "1 fault was found" if error.total == 1 else f"{error.total:,} faults were found"
    listed = "" if error.total == len(error.faults) else f"; the first {len(error.faults):,} are listed"
    name = f" in {error.faults[0].file}" if error.faults else ""
    return f"{found}{name}{listed}. Nothing was stored."
