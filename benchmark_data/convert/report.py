"""What an importer tells when it is done."""

from dataclasses import dataclass

from benchmark_data.types import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionReport:
    """The outcome of a conversion.

    Args:
        bundle: the bundle written.
        documents: how many documents it has in all databases.
        notes: sentences on what was decided for the source, such as a label that it does not have.
    """

    bundle: Bundle
    documents: int
    notes: tuple[str, ...] = ()
