"""What the API tells of the board."""

from typing import Any

from rest_framework import serializers

from leaderboard.api.answers import CONDITIONS
from leaderboard.api.model_answers import RowFactsAnswer, RowGainAnswer, RowUsageAnswer
from leaderboard.models.slices import SliceKind
from leaderboard.selectors.board import BoardRow
from leaderboard.selectors.slices import Slice


class IntervalAnswer(serializers.Serializer[Any]):
    """A 95 % interval."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class IntervalsAnswer(serializers.Serializer[BoardRow]):
    """The intervals of the three metrics."""

    strict_ex = IntervalAnswer()
    soft_ex = IntervalAnswer()
    exec_rate = IntervalAnswer()


class EntryAnswer(serializers.Serializer[BoardRow]):
    """One ranked entry; metrics are shares from 0 to 1.

    In a slice, rank, position, n, metrics and intervals are those among its items; all else tells of the whole run.
    """

    rank = serializers.IntegerField()
    position = serializers.IntegerField()
    tie_group = serializers.IntegerField()
    entry = serializers.CharField()
    submission = serializers.UUIDField()
    strict_ex = serializers.FloatField(source="strict_ex.value")
    soft_ex = serializers.FloatField(source="soft_ex.value")
    exec_rate = serializers.FloatField(source="exec_rate.value")
    intervals = IntervalsAnswer(source="*")
    coverage = serializers.FloatField()
    n = serializers.IntegerField()
    date = serializers.DateTimeField()
    scorer = serializers.CharField()
    engine = serializers.CharField()
    demo_engine = serializers.BooleanField()
    evidence_gain = RowGainAnswer(source="gain", allow_null=True, help_text="null where one condition has no score")
    usage = RowUsageAnswer(
        source="asking", allow_null=True, help_text="measured; null where predictions came in a file"
    )
    facts = RowFactsAnswer(allow_null=True, help_text="claimed by the submitter; null where nothing was said")
    overall_rank = serializers.IntegerField(
        allow_null=True, help_text="in a slice, the rank on the whole board; else null"
    )


class SliceAnswer(serializers.Serializer[Slice]):
    """One database or one difficulty of the release, and how many items it has."""

    kind = serializers.ChoiceField(SliceKind.values)
    name = serializers.CharField()
    items = serializers.IntegerField()


class ConditionBoardAnswer(serializers.Serializer[Any]):
    """One page of the board of one condition."""

    condition = serializers.ChoiceField(CONDITIONS)
    total = serializers.IntegerField(source="entries.total")
    page = serializers.IntegerField(source="entries.page")
    pages = serializers.IntegerField(source="entries.pages")
    entries = EntryAnswer(many=True, source="entries.items")


class BoardAnswer(serializers.Serializer[Any]):
    """The board of one release."""

    release = serializers.CharField()
    digest = serializers.CharField()
    slice = SliceAnswer(allow_null=True, help_text="null where the board is that of all items")
    conditions = ConditionBoardAnswer(many=True)
