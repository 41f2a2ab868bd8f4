"""Finds the relationship that a docmap names: one the database declares, or one the docmap adds."""

from collections.abc import Iterable
from difflib import get_close_matches

from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.text import Entry
from benchmark_data.docmap.types import Link

_KEYS = frozenset({"from", "to", "declared"})


def suggestion(name: str, names: Iterable[str]) -> str:
    """The end of a sentence on an unknown name: the nearest known one, or all of a few."""
    known = sorted(names)
    close = get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are {', '.join(map(repr, known))}." if 0 < len(known) <= 12 else f"there are {len(known)} others."


class LinkResolver:
    """Knows all links of a docmap by name; a name that two foreign keys share stands for both."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._links: dict[str, list[Link]] = {}
        for link in schema.links:
            self._links.setdefault(link.name, []).append(link)

    @property
    def by_name(self) -> dict[str, Link]:
        """Each link under a name of its own: where two share one, "name -> parent"."""
        return {
            (link.name if len(links) == 1 else f"{link.name} -> {link.parent}"): link
            for links in self._links.values()
            for link in links
        }

    def add(self, entry: Entry) -> None:
        """Take in the relationships that the docmap writes down."""
        for name, part in entry.mapping().items():
            keys = part.mapping(_KEYS, required=("from", "to"))
            if "from" not in keys or "to" not in keys:
                continue
            child, child_columns = self._columns(keys["from"])
            parent, parent_columns = self._columns(keys["to"])
            if not child or not parent:
                continue
            if len(child_columns) != len(parent_columns):
                part.fault("bad_relationship", "`from` and `to` must name equally many columns.")
                continue
            # The docmap's own name wins over a foreign key's.
            self._links[name] = [
                Link(
                    name=name,
                    child=child,
                    child_columns=child_columns,
                    parent=parent,
                    parent_columns=parent_columns,
                    declared="declared" in keys and keys["declared"].value() is True,
                )
            ]

    def _columns(self, entry: Entry) -> tuple[str, tuple[str, ...]]:
        """A list of "table.column" of one table as the table and its columns; ("", ()) after a fault."""
        found = [self.qualified(name, entry) for name in entry.texts()]
        tables = {table.name for table, _ in found if table is not None}
        if len(tables) > 1:
            entry.fault("bad_relationship", "all columns must be of one table.")
        if len(tables) != 1 or any(table is None for table, _ in found):
            return "", ()
        return tables.pop(), tuple(column for _, column in found)

    def qualified(self, name: str, entry: Entry) -> tuple[Table | None, str]:
        """ "table.column" as the table and the column's name; both may have dots in them. (None, "") after a fault."""
        parts = name.split(".")
        for cut in range(1, len(parts)):
            table = self._schema.table(".".join(parts[:cut]))
            column = ".".join(parts[cut:])
            if table is not None and table.column(column) is not None:
                return table, column
        table = self._schema.table(parts[0])
        if table is None:
            names = [table.name for table in self._schema.tables]
            entry.fault("unknown_table", f"no table {parts[0]!r}; {suggestion(parts[0], names)}")
        else:
            rest = ".".join(parts[1:])
            entry.fault(
                "unknown_column", f"no column {rest!r} in table {table.name}; {suggestion(rest, table.column_names)}"
            )
        return None, ""

    def find(self, entry: Entry, touching: str) -> Link | None:
        """The one link of that name with `touching` at one of its ends, or None after a fault."""
        name = entry.text()
        if not name:
            return None
        known = {**self._links, **{full: [link] for full, link in self.by_name.items()}}
        named = known.get(name, [])
        found = [link for link in named if touching in {link.child, link.parent}]
        if len(found) == 1:
            return found[0]
        if not named:
            entry.fault("unknown_link", f"no relationship {name!r}; {suggestion(name, known)}")
        elif not found:
            ends = " and ".join(f"{link.child} → {link.parent}" for link in named)
            entry.fault("wrong_link", f"{name!r} leads {ends}, and not from or to {touching}.")
        else:
            ends = ", ".join(f"{name} -> {link.parent}" for link in found)
            entry.fault("ambiguous_link", f"{name!r} may mean several relationships; write one of: {ends}.")
        return None

    def pointing(self, child: str, columns: tuple[str, ...], parent: str) -> Link | None:
        """The link that these columns of a table make with another, if there is one."""
        for links in self._links.values():
            for link in links:
                if (link.child, link.child_columns, link.parent) == (child, columns, parent):
                    return link
        return None
