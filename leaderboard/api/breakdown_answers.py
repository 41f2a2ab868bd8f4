"""What the API tells of the board by databases and difficulties."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leaderboard.api.answers import CONDITIONS
from leaderboard.api.board_answers import IntervalAnswer, IntervalsAnswer
from leaderboard.models.slices import SliceKind
from leaderboard.selectors.board import METRICS
from leaderboard.selectors.breakdowns import BreakdownRow, SliceCell


class SliceCellAnswer(serializers.Serializer[SliceCell]):
    """An entry's figures on the items of one slice; metrics are shares from 0 to 1."""

    name = serializers.CharField()
    n = serializers.IntegerField()
    strict_ex = serializers.FloatField()
    soft_ex = serializers.FloatField()
    exec_rate = serializers.FloatField()
    intervals = IntervalsAnswer()


class BreakdownEntryAnswer(serializers.Serializer[BreakdownRow]):
    """One ranked entry over all items, and over those of each slice that it has figures of."""

    rank = serializers.IntegerField()
    position = serializers.IntegerField()
    entry = serializers.CharField()
    submission = serializers.UUIDField()
    strict_ex = serializers.FloatField(source="strict_ex.value")
    interval = IntervalAnswer(source="strict_ex")
    n = serializers.IntegerField()
    date = serializers.DateTimeField()
    scorer = serializers.CharField()
    engine = serializers.CharField()
    demo_engine = serializers.BooleanField()
    cells = serializers.SerializerMethodField()

    @extend_schema_field(SliceCellAnswer(many=True))
    def get_cells(self, row: BreakdownRow) -> list[dict[str, Any]]:
        """The cells, written by hand: a file of a long board has hundreds of thousands."""
        return [cell_json(cell) for cell in row.measured]


class ConditionBreakdownAnswer(serializers.Serializer[Any]):
    """One page of the table of one condition."""

    condition = serializers.ChoiceField(CONDITIONS)
    total = serializers.IntegerField(source="entries.total")
    page = serializers.IntegerField(source="entries.page")
    pages = serializers.IntegerField(source="entries.pages")
    entries = BreakdownEntryAnswer(many=True, source="entries.items")


class ColumnAnswer(serializers.Serializer[Any]):
    """One slice and how many items it has."""

    name = serializers.CharField()
    items = serializers.IntegerField()


class BreakdownAnswer(serializers.Serializer[Any]):
    """The entries of one release by databases, or by difficulties."""

    release = serializers.CharField()
    digest = serializers.CharField()
    by = serializers.ChoiceField(SliceKind.values, source="columns.kind")
    slices = ColumnAnswer(many=True, source="columns.parts")
    conditions = ConditionBreakdownAnswer(many=True)


def cell_json(cell: SliceCell) -> dict[str, Any]:
    """What `SliceCellAnswer` describes."""
    figures = {metric: getattr(cell, metric) for metric in METRICS}
    return {
        "name": cell.name,
        "n": cell.n,
        **{metric: figure.value for metric, figure in figures.items()},
        "intervals": {metric: {"low": figure.low, "high": figure.high} for metric, figure in figures.items()},
    }
