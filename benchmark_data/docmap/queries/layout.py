"""The layout of the baseline: each table is a collection, each row a document, each column a field."""

from collections.abc import Mapping

from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.schema import TableSchema
from benchmark_data.docmap.queries.scope import Embedded, RowPlace, Source
from benchmark_data.docmap.strategies import collection_names, field_names


class OneToOne:
    """See `scope.TableLayout`; names are those that `strategies.one_to_one` gives.

    Args:
        tables: names of all tables in the order of the schema, where one of them is no legal collection name.
    """

    def __init__(self, tables: tuple[str, ...] = ()) -> None:
        self._collections: Mapping[str, str] = collection_names(tables)

    @property
    def indexed(self) -> Mapping[str, frozenset[str]]:
        """The baseline has none."""
        return {}

    def rows(self, table: TableSchema) -> RowPlace:
        """One document a row."""
        fields = field_names(column.name for column in table.columns)
        return RowPlace(
            collection=self._collections.get(table.name, table.name),
            columns={name.lower(): Place(path=path) for name, path in fields.items()},
        )

    def embedded(self, outer: Source, outer_column: str, table: TableSchema, column: str) -> Embedded | None:
        """Nothing is embedded."""
        return None
