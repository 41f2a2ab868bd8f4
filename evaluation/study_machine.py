"""Says what machine a study ran on."""

import os
import platform
from pathlib import Path

_CPU = Path("/proc/cpuinfo")
_GIBIBYTE = 2**30


def machine_description() -> dict[str, str | int | float]:
    """Processor, cores, memory in GiB, operating system, Python, and the load when it is asked."""
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "memory_gib": round(pages * page / _GIBIBYTE, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    lines = _CPU.read_text(encoding="utf-8", errors="replace").splitlines() if _CPU.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
