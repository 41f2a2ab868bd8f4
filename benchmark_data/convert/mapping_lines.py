"""Finds the line of a key in a TOML file, which the standard library's reader does not tell."""

import re

_TABLE = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")


class KeyLines:
    """The lines of the keys of a TOML text.

    A key of an inline table has the line of the key that the table belongs to. The n-th table of an array has its
    number in the path: ("items", "0", "files").

    Args:
        text: a TOML text without syntax errors.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        counts: dict[tuple[str, ...], int] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            if found := _TABLE.match(line):
                table = _parts(found[2])
                if found[1] == "[[":
                    position = counts[table] = counts.get(table, -1) + 1
                    self._lines.setdefault(table, number)
                    table = (*table, str(position))
                self._lines.setdefault(table, number)
            elif key := _KEY.match(line):
                self._lines.setdefault((*table, *_parts(key[1])), number)

    def line(self, *path: str) -> int:
        """The 1-based line of a key, or of the nearest one that it stands in; 1 if there is none."""
        for length in range(len(path), 0, -1):
            if (number := self._lines.get(path[:length])) is not None:
                return number
        below = [number for key, number in self._lines.items() if key[: len(path)] == path]
        return min(below, default=1)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(next(group for group in match.groups() if group is not None) for match in _PART.finditer(text))
