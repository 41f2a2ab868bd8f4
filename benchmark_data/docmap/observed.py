"""What the documents of a collection look like: a $jsonSchema that they all fulfil, and what grows too large."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import bson
from bson.int64 import Int64

LARGE_BYTES: Final = 1024 * 1024
MANY_ELEMENTS: Final = 1_000
_INT32: Final = range(-(2**31), 2**31)
# An object with more names than these is a map: its names are data.
_NAMES: Final = 100


@dataclass(slots=True, kw_only=True, eq=False)
class _Seen:
    """The values at one path.

    Args:
        types: their BSON types.
        objects: how many of them are objects.
        names: values below by name, None for a map.
        present: how many objects have a name.
        elements: of arrays.
    """

    types: set[str] = field(default_factory=set)
    objects: int = 0
    names: "dict[str, _Seen] | None" = field(default_factory=dict)
    present: dict[str, int] = field(default_factory=dict)
    elements: "_Seen | None" = None


class ObservedDocuments:
    """Looks at documents one after another, in memory that does not grow with their number."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seen = _Seen()
        self._large: dict[str, tuple[int, int]] = {}

    def see(self, document: Mapping[str, Any], *, line_bytes: int) -> None:
        """Look at the next document.

        Args:
            document: as it is stored.
            line_bytes: of its Extended JSON, which is longer than its BSON.
        """
        self._look(document, self._seen, "")
        if line_bytes > LARGE_BYTES:
            size = len(bson.encode(document))
            if size > LARGE_BYTES:
                self._note("", size)

    @property
    def warnings(self) -> list[str]:
        """What is allowed and will be slow: documents above 1 MiB, arrays of more than 1,000 elements."""
        found = []
        for path, (number, largest) in sorted(self._large.items()):
            if path:
                what = f"arrays at {path} have more than {MANY_ELEMENTS:,} elements, up to {largest:,}"
            else:
                what = f"documents are above 1 MiB, up to {largest / LARGE_BYTES:.1f} MiB"
            found.append(f"{self._name}: {number:,} {what}.")
        return found

    @property
    def validator(self) -> dict[str, Any]:
        """The strictest validator that all documents pass which were seen: types, and names that none lacks."""
        return {"$jsonSchema": _schema(self._seen)}

    def _look(self, value: Any, seen: _Seen, path: str) -> None:
        seen.types.add(_type(value))
        if isinstance(value, Mapping):
            self._look_inside(value, seen, path)
        elif isinstance(value, list):
            if len(value) > MANY_ELEMENTS:
                self._note(path, len(value))
            if seen.elements is None:
                seen.elements = _Seen()
            for element in value:
                self._look(element, seen.elements, path)

    def _look_inside(self, value: Mapping[str, Any], seen: _Seen, path: str) -> None:
        seen.objects += 1
        for name, inside in value.items():
            if seen.names is None:
                return
            below = seen.names.get(name)
            if below is None:
                if len(seen.names) >= _NAMES:
                    seen.names = None
                    return
                below = seen.names[name] = _Seen()
            seen.present[name] = seen.present.get(name, 0) + 1
            self._look(inside, below, f"{path}.{name}" if path else name)

    def _note(self, path: str, size: int) -> None:
        number, largest = self._large.get(path, (0, 0))
        self._large[path] = (number + 1, max(largest, size))


def _schema(seen: _Seen) -> dict[str, Any]:
    types = sorted(seen.types)
    made: dict[str, Any] = {"bsonType": types[0] if len(types) == 1 else types} if types else {}
    if seen.names:
        required = sorted(name for name, number in seen.present.items() if number == seen.objects)
        made |= {"required": required} if required else {}
        made["properties"] = {name: _schema(below) for name, below in sorted(seen.names.items())}
    if seen.elements is not None and seen.elements.types:
        made["items"] = _schema(seen.elements)
    return made


def _type(value: Any) -> str:
    """The BSON type of a value that a migration writes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if not isinstance(value, Int64) and int(value) in _INT32 else "long"
    for kind, name in _NAMED:
        if isinstance(value, kind):
            return name
    raise TypeError(value)


_NAMED: Final[tuple[tuple[type, str], ...]] = (
    (str, "string"),
    (float, "double"),
    (Mapping, "object"),
    (list, "array"),
    (datetime, "date"),
    (bytes, "binData"),
)
