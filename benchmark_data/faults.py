"""Collects the faults of one file, as many as a person will read."""

from benchmark_data.errors import LISTED_FAULTS, Fault

_FIELD_CHARACTERS = 200
_MESSAGE_CHARACTERS = 600


class FaultLog:
    """The faults of one file in the order found; beyond `limit` they are only counted.

    Args:
        file: the file's name as its sender knows it.
        limit: how many faults are kept, so that a file of a million bad lines costs no more than one of a hundred.
    """

    def __init__(self, file: str, *, limit: int = LISTED_FAULTS) -> None:
        self.file = _printable(file, _FIELD_CHARACTERS)
        self.total = 0
        self._limit = limit
        self._kept: list[Fault] = []

    def add(self, rule: str, message: str, *, line: int | None = None, field: str = "") -> None:
        """Note one fault of this file."""
        self.total += 1
        if len(self._kept) < self._limit:
            self._kept.append(self._fault(rule, message, line, field))

    def add_first(self, rule: str, message: str) -> None:
        """Note a fault of the whole file, such as why its reading was broken off: listed before all others."""
        self.total += 1
        self._kept = [self._fault(rule, message, None, ""), *self._kept][: self._limit]

    def _fault(self, rule: str, message: str, line: int | None, field: str) -> Fault:
        field, message = _printable(field, _FIELD_CHARACTERS), _printable(message, _MESSAGE_CHARACTERS)
        return Fault(file=self.file, line=line, field=field, rule=rule, message=message)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults kept, without a word on those that were only counted."""
        return tuple(self._kept)

    @property
    def summary(self) -> tuple[Fault, ...]:
        """The faults kept, closed by one that tells how many more there are."""
        more = self.total - len(self._kept)
        if not more:
            return self.faults
        message = f"… and {more:,} more faults in this file, not listed."
        return (*self._kept, Fault(file=self.file, rule="more_faults", message=message, count=more))


def _printable(text: str, length: int) -> str:
    """A text that any terminal, page and database takes: parts of it may come from a hostile file."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text[:length])
    return shown if len(text) <= length else f"{shown[:-1]}…"
