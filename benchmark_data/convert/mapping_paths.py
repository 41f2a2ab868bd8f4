"""Finds the files that a mapping's patterns name, and tells what is there where they name none."""

import difflib
from collections.abc import Iterator
from pathlib import Path


def matches(source: Path, pattern: str) -> Iterator[Path]:
    """The paths below the source that a pattern names; a pattern that leads out of it names none."""
    if pattern in ("", "."):
        yield source
    elif not Path(pattern).is_absolute() and ".." not in Path(pattern).parts:
        yield from source.glob(pattern)


def absent(source: Path, pattern: str) -> str:
    """A sentence on a pattern that names no file, with what is there instead."""
    folder = source
    for part in Path(pattern).parts[:-1]:
        folder = folder / part if (folder / part).is_dir() else folder
    there = [entry.name for entry in sorted(folder.iterdir())] if folder.is_dir() else []
    close = difflib.get_close_matches(Path(pattern).name, there, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    place = "the source" if folder == source else folder.relative_to(source).as_posix()
    return f'no file is named "{pattern}".{hint} There is in {place}: {", ".join(there[:20]) or "nothing"}.'
