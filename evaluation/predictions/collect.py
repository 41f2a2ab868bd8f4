"""Gathers predictions one by one and judges each against the benchmark's items."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name, shown
from evaluation.predictions.source import UnreadableFileError
from evaluation.types import Condition

BIRD_SEPARATOR = "\t----- bird -----\t"

_KNOWN = ("question_id", "query", "condition", "db_id")
_SUGGESTIONS = 20
# A file of 50 MB can hold 25 million things that are no prediction; nobody needs them counted.
_SPARE_RECORDS = 100_000
# Neither PostgreSQL nor UTF-8 can hold these, and no query needs them: a cut-off reply may end in half a pair.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def too_many(most: int) -> UnreadableFileError:
    """The error for a file of far more predictions than the benchmark has items."""
    message = f"there are more than {most:,} predictions in the file; no more were read."
    return UnreadableFileError("too_many_predictions", message)


@dataclass(slots=True, kw_only=True)
class Collector:
    """The predictions of one file while it is read.

    Args:
        items: the db_id of each question_id of the benchmark.
        log: where faults go.
        default_condition: the condition of predictions that name none; None means that each must name one.
        texts: what was gathered.
        ignored: fields that were not read, with the number of records that have them.
        empty: predictions without text.
        replaced: texts in which characters were replaced.
        separated: values with BIRD's separator in them.
        records: objects taken.
    """

    items: Mapping[str, str]
    log: FaultLog
    default_condition: Condition | None
    texts: dict[Condition, dict[str, str]] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)
    empty: int = 0
    replaced: int = 0
    separated: int = 0
    records: int = 0
    _places: dict[tuple[str, Condition], int] = field(default_factory=dict)
    _suggested: int = 0

    @property
    def most_records(self) -> int:
        """How many predictions are read at most, each item in each condition and a good many faulty ones."""
        return len(Condition) * len(self.items) + _SPARE_RECORDS

    def add_record(self, record: Any, *, line: int, prefix: str = "") -> None:
        """Take one object {"question_id", "query", "condition"?, "db_id"?}.

        Raises:
            UnreadableFileError: there are far more records than items.
        """
        self.records += 1
        if self.records > self.most_records:
            raise too_many(self.most_records)
        if not isinstance(record, dict):
            self.log.add("not_an_object", f"must be a JSON object, not {kind_name(record)}.", line=line, field=prefix)
            return
        fields = Fields(record, self.log, line=line, prefix=f"{prefix}." if prefix else "")
        self._look_at_unknown(fields)
        question_id = fields.identifier("question_id")
        db_id = fields.optional_text("db_id")
        condition = self._condition(fields)
        if "query" not in record:
            fields.fault("missing_field", "query", "this field is missing.")
        elif question_id is not None:
            self._add(fields, "query", question_id, record["query"], condition, db_id=db_id)

    def add_member(self, key: str, value: Any, *, line: int, condition: Condition | None, prefix: str = "") -> None:
        """Take one member of a dictionary from question_id to query, BIRD's separator and database after it or not."""
        fields = Fields({key: value}, self.log, line=line, prefix=prefix)
        self._add(fields, key, key, value, condition)

    def _add(
        self,
        fields: Fields,
        name: str,
        question_id: str,
        value: Any,
        condition: Condition | None,
        *,
        db_id: str | None = None,
    ) -> None:
        text = self._text(fields, name, value)
        known = question_id in self.items
        id_field = "question_id" if name == "query" else name
        if not known:
            fields.fault("unknown_question_id", id_field, self._unknown(question_id))
        if text is not None and BIRD_SEPARATOR in text:
            self.separated += 1
            text, _, db_id = text.rpartition(BIRD_SEPARATOR)
        if known and db_id is not None and db_id.strip() != self.items[question_id]:
            message = f"the item asks about {shown(self.items[question_id])}, not {shown(db_id)}."
            fields.fault("wrong_db_id", "db_id" if name == "query" else name, message)
        if condition is not None and self._is_first(fields, id_field, question_id, condition) and text and text.strip():
            self.texts.setdefault(condition, {})[question_id] = text

    def _text(self, fields: Fields, name: str, value: Any) -> str | None:
        """The text of a prediction, "" for none: files of the field write 0 where a model gave no answer."""
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value == 0):
            value = ""
        if not isinstance(value, str):
            message = f"a query must be a text, not {kind_name(value)}; write the query as one JSON string."
            fields.fault("wrong_type", name, message)
            return None
        if not value.partition(BIRD_SEPARATOR)[0].strip():
            self.empty += 1
        text = _UNSTORABLE.sub("\ufffd", value)
        self.replaced += text != value
        return text

    def _condition(self, fields: Fields) -> Condition | None:
        if fields.record.get("condition") is not None:
            return fields.choice("condition", Condition)
        if self.default_condition is None:
            names = " or ".join(f'"{condition}"' for condition in Condition)
            fields.fault("missing_condition", "condition", f"this field is missing: write {names}.")
        return self.default_condition

    def _is_first(self, fields: Fields, name: str, question_id: str, condition: Condition) -> bool:
        line = fields.line or 0
        key = (question_id, condition)
        if key not in self._places:
            self._places[key] = line
            return True
        message = f"{shown(question_id)} was predicted for {condition} before, in line {self._places[key]}."
        fields.fault("duplicate_prediction", name, message)
        return False

    def _look_at_unknown(self, fields: Fields) -> None:
        """Pass over fields that are not ours, but not over a slip of the pen that would change what is scored."""
        for name in fields.record:
            if name in _KNOWN:
                continue
            close = [known for known in difflib.get_close_matches(name, _KNOWN, n=1) if known not in fields.record]
            if close:
                fields.fault("unknown_field", name, f'this field is not known. Did you mean "{close[0]}"?')
            else:
                self.ignored[name] = self.ignored.get(name, 0) + 1

    def _unknown(self, question_id: str) -> str:
        message = f"the benchmark has no item {shown(question_id)}."
        if self._suggested >= _SUGGESTIONS:
            return message
        self._suggested += 1
        bare = question_id.strip()
        close = [near for near in (bare, bare.lstrip("0"), bare.lower(), bare.upper()) if near in self.items]
        close = close or difflib.get_close_matches(question_id[:200], self.items, n=1)
        return f"{message} Did you mean {shown(close[0])}?" if close else message
