"""Run the benchmarks: `python -m tests.bench [NAMES] [--json FILE]`."""

import argparse
import importlib
import json
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tests.bench.measurement import Measurement

DEFAULT_FILE = Path(__file__).resolve().parents[2] / ".local" / "bench.json"


def benchmarks() -> dict[str, Callable[[], list[Measurement]]]:
    """The `measure` function of each module here that has one, by module name.

    Others are not even imported: those that run inside a site need Django.
    """
    folder = Path(__file__).parent
    names = sorted(path.stem for path in folder.glob("*.py") if "\ndef measure(" in path.read_text())
    return {name: importlib.import_module(f"tests.bench.{name}").measure for name in names}


def machine_facts() -> dict[str, str | float]:
    """What the figures were measured on."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "cores": os.cpu_count() or 0,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "pymongo": version("pymongo"),
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def run(names: list[str], console: Console) -> dict[str, list[Measurement]]:
    """Run the named benchmarks one after the other, all of them without names."""
    found = benchmarks()
    unknown = sorted(set(names) - set(found))
    if unknown:
        console.print(f"No benchmark named {', '.join(unknown)}. There are: {', '.join(found)}.")
        raise SystemExit(2)
    results = {}
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("", total=len(names or found))
        for name in names or found:
            progress.update(task, description=name)
            results[name] = found[name]()
            progress.advance(task)
    return results


def shown(results: dict[str, list[Measurement]]) -> Table:
    """The results as a table."""
    table = Table("benchmark", "measurement", "value", "unit", "target", "met")
    for name, measurements in results.items():
        for one in measurements:
            met = {True: "[green]yes", False: "[red]NO", None: ""}[one.met]
            table.add_row(name, one.name, f"{one.value:,.4g}", one.unit, one.target, met)
    return table


def main() -> None:
    """Measure, show, write; the exit code is 1 where a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks to run; all without names")
    parser.add_argument("--json", type=Path, default=DEFAULT_FILE, metavar="FILE", help="where the figures are written")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 160)
    facts = machine_facts()
    console.print(" · ".join(f"{name} {value}" for name, value in facts.items()))
    results = run(arguments.names, console)
    console.print(shown(results))
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    figures = {name: [asdict(one) for one in measurements] for name, measurements in results.items()}
    arguments.json.write_text(json.dumps({"machine": facts, "benchmarks": figures}, indent=2, allow_nan=False) + "\n")
    missed = sum(one.met is False for measurements in results.values() for one in measurements)
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
