"""Reads an item out of a record that an importer has brought into the form of a bundle's items."""

from collections.abc import Collection

from benchmark_data.fields import Fields, shown
from benchmark_data.names import question_id_problem
from benchmark_data.types import ArrayOrder, Difficulty, Item, Split


class ItemReader:
    """Reads the items of a source, in the order of its records.

    Args:
        db_ids: the databases found; None where they could not be read, then no db_id is judged.
    """

    def __init__(self, db_ids: Collection[str] | None) -> None:
        self._db_ids = db_ids
        self._places: dict[str, str] = {}

    def read(self, fields: Fields, *, place: str) -> Item | None:
        """The item, or None where faults were noted; every field is looked at.

        Args:
            fields: with the names of a bundle's items file; fields that have a default may be missing.
            place: of the record, as a later one of the same question_id should name it.
        """
        question_id = self._question_id(fields, place)
        db_id = fields.text("db_id")
        if db_id is not None and self._db_ids is not None and db_id not in self._db_ids:
            known = ", ".join(sorted(self._db_ids)[:10])
            fields.fault("unknown_db_id", "db_id", f"there is no database {shown(db_id)}; there are: {known}.")
        question, gold_query = fields.text("question"), fields.text("gold_query")
        evidence, sql = fields.optional_text("evidence"), fields.optional_text("sql")
        difficulty = fields.choice("difficulty", Difficulty, default=Difficulty.UNRATED)
        split = fields.choice("split", Split, default=Split.PUBLIC)
        array_order = fields.choice("array_order", ArrayOrder, default=ArrayOrder.ORDERED)
        if question_id is None or db_id is None or question is None or gold_query is None:
            return None
        if difficulty is None or split is None or array_order is None:
            return None
        return Item(
            question_id=question_id,
            db_id=db_id,
            question=question,
            evidence=evidence or "",
            difficulty=difficulty,
            split=split,
            gold_query=gold_query,
            sql=sql,
            array_order=array_order,
            line=fields.line or 0,
        )

    def _question_id(self, fields: Fields, place: str) -> str | None:
        question_id = fields.identifier("question_id")
        if question_id is None:
            return None
        if problem := question_id_problem(question_id):
            fields.fault("bad_question_id", "question_id", problem)
        elif (first := self._places.setdefault(question_id, place)) != place:
            message = f"{shown(question_id)} was used before, at {first}."
            fields.fault("duplicate_question_id", "question_id", message)
        return question_id
