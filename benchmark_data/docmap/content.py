"""Sums up documents so that two collections can be compared in any order, in no memory."""

import hashlib


class ContentSum:
    """Counts documents, and adds up their SHA-256 as BSON modulo 2^256: equal for equal documents in any order.

    Source: AdHash, Bellare and Micciancio, "A New Paradigm for Collision-Free Hashing", EUROCRYPT 1997.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._sum = 0

    def add(self, document: bytes) -> None:
        """Take in one document's BSON."""
        self.documents += 1
        self._sum += int.from_bytes(hashlib.sha256(document).digest())

    @property
    def total(self) -> str:
        """The sum, in hex."""
        return f"{self._sum % 2**256:064x}"
