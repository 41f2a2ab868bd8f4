"""`aptboard bundle build`: builds the sample benchmark from its sources, and checks them."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmark_data.bundles.sample21.build import bundle_folder, copy_predictions, sample21_build
from benchmark_data.bundles.sample21.databases import SampleDatabase, sample_databases, unfinished_ids
from benchmark_data.docmap.certificate import certificate_text
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle
from evaluation.commands.faults import faults_shown, progress_shown
from evaluation.sample21.database_check import DatabaseCheck, check_databases
from evaluation.sample21.instances import Engine, engines_opened
from evaluation.sample21.pins import pin, pin_problems
from evaluation.sample21.whole_build import WholeBuild, whole_build, work_of

FOUND = 1

Name = Annotated[str, typer.Argument(metavar="NAME", help="The benchmark: sample21.")]
Destination = Annotated[
    Path | None, typer.Argument(metavar="[OUT]", help="The folder that becomes the bundle; without it, none is kept.")
]


def build(
    name: Name,
    destination: Destination = None,
    database: Annotated[
        list[str] | None, typer.Option("--database", help="--check-only: only this; may be given more than once.")
    ] = None,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Check the sources, prove every item, give advice; write nothing.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Build what was pinned, compare digests, prove nothing again.")
    ] = False,
    pinning: Annotated[
        bool, typer.Option("--pin", help="Write digests, measurements, predictions and report beside the sources.")
    ] = False,
    certificates: Annotated[
        Path | None, typer.Option("--certificates", help="Write each database's certificate into this folder.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a bundle that is there.")] = False,
) -> None:
    """Build the benchmark that ships with AptBoard from its sources: prove everything, score the baselines, report.

    Exit codes: 0 built as pinned; 1 the sources have faults, or are not those that were pinned; 2 it cannot be built,
    or OUT is in use; 4 the document database failed.
    """
    if name != "sample21":
        raise typer.BadParameter("the one benchmark that is built is sample21", param_hint="NAME")
    if quick and destination is None:
        raise typer.BadParameter("--quick needs a folder to write", param_hint="OUT")
    with faults_shown():
        if quick and destination is not None:
            _quick(destination, overwrite=overwrite)
        elif check_only:
            _check(database or [])
        else:
            _whole(destination, certificates, pinning=pinning, overwrite=overwrite)


def _quick(destination: Path, *, overwrite: bool) -> None:
    with progress_shown("Building", total=len(sample_databases())) as advance:
        made = sample21_build(destination, overwrite=overwrite, progress=lambda step: advance(1, step.db_id))
    _say(destination, made)


def _check(only: list[str]) -> None:
    for db_id in () if only else unfinished_ids():
        typer.echo(f"{db_id}: not complete, left out.", err=True)
    samples = sample_databases(only)
    with (
        engines_opened() as engines,
        tempfile.TemporaryDirectory(prefix="sample21-") as folder,
        progress_shown("Checking", total=len(samples)) as advance,
    ):
        checks = check_databases(samples, engines, Path(folder), advance)
    for check in checks:
        _show(check)
    if any(check.faults for check in checks):
        raise typer.Exit(FOUND)


def _whole(destination: Path | None, certificates: Path | None, *, pinning: bool, overwrite: bool) -> None:
    samples = sample_databases()
    with engines_opened() as engines, tempfile.TemporaryDirectory(prefix="sample21-") as work:
        kept = destination or Path(work) / "sample21"
        with bundle_folder(kept, overwrite=overwrite) as folder:
            found = _built(samples, engines, Path(work), folder)
            if pinning:
                pin(found)
            copy_predictions(folder)
        typer.echo(found.report)
        if destination is not None:
            _say(destination, load_bundle(destination))
    if certificates is not None:
        certificates.mkdir(parents=True, exist_ok=True)
        for db_id, proved in found.certificates.items():
            (certificates / f"{db_id}.json").write_text(certificate_text(proved), encoding="utf-8")
    problems = pin_problems(found)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(FOUND)


def _built(samples: tuple[SampleDatabase, ...], engines: tuple[Engine, ...], work: Path, folder: Path) -> WholeBuild:
    with progress_shown("Building", total=work_of(samples)) as advance:
        found = whole_build(samples, engines, work=work, bundle=folder, advance=advance)
    faulty = [check for check in found.checks if check.faults]
    for check in faulty:
        _show(check)
    if faulty:
        raise typer.Exit(FOUND)
    return found


def _say(destination: Path, made: Bundle) -> None:
    documents = sum(collection.documents for database in made.databases for collection in database.collections)
    typer.echo(
        f"{destination}: {len(made.databases)} databases, {documents:,} documents, {len(made.items):,} items, "
        f"digest {made.digest}."
    )


def _show(check: DatabaseCheck) -> None:
    for fault in check.faults:
        typer.echo(f"{fault} [{fault.rule}]")
    for fault in check.advice:
        typer.echo(f"advice: {fault} [{fault.rule}]")
    for figure in check.figures:
        typer.echo(f"{check.db_id}: {figure}")
    count = len(check.faults)
    typer.echo(f"{check.db_id}: {'no fault' if not count else '1 fault' if count == 1 else f'{count} faults'}.")
