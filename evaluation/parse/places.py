"""Places in the database that a text names before it asks for anything."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The database (`collection` None), or a collection of it.

    Args:
        collection: what `getCollection("x")` and the like named.
        names: property names that follow; the last may turn out to be a method.
    """

    collection: str | None = None
    names: tuple[str, ...] = ()

    def child(self, name: str) -> "Place":
        """The place reached by one more name."""
        return Place(collection=self.collection, names=(*self.names, name))

    def whole_name(self) -> str:
        """All names joined by dots."""
        start = () if self.collection is None else (self.collection,)
        return ".".join((*start, *self.names))
