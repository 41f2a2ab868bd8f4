"""Names that people read: those of conditions, and what a name given by a user may hold."""

from typing import Final

from django.core.exceptions import ValidationError

from evaluation.types import Condition

CONDITION_NAMES: Final = {
    Condition.WITH_EVIDENCE: "With evidence",
    Condition.WITHOUT_EVIDENCE: "Without evidence",
}


def require_printable(value: str) -> None:
    """Refuse control characters and invisible ones, which could reorder or hide what stands beside a name.

    Raises:
        ValidationError: there is one.
    """
    if not value.isprintable():
        raise ValidationError("Invisible and control characters are not allowed here.", code="not_printable")


def file_size(count: int) -> str:
    """A number of bytes as the documents write it, in powers of ten: 50_000_000 → "50 MB", 13_700 → "13.7 kB"."""
    for size, unit in ((1_000_000, "MB"), (1_000, "kB")):
        if count >= size:
            return f"{count / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{count} bytes"
