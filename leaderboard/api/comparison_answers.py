"""What the API tells of entries side by side, and what clients may ask for."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.aggregate import Report
from evaluation.contrasts import EntryShare, GroupContrast
from evaluation.stats import Estimate
from leaderboard.api.answers import CONDITIONS
from leaderboard.selectors.compared_items import DifferingItem
from leaderboard.selectors.comparison import (
    ComparedCondition,
    ComparedEntry,
    ComparedPair,
    ComparedRun,
    Comparison,
)
from leaderboard.selectors.pages import Page


class ComparisonQuery(serializers.Serializer[Any]):
    """Which entries."""

    entries = serializers.ListField(
        child=serializers.CharField(max_length=80), help_text="ids of two to five submissions to one release"
    )
    items = serializers.BooleanField(
        required=False, default=False, help_text="list the items on which they differ; for the owner of all of them"
    )
    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)


class ComparedEntryAnswer(serializers.Serializer[ComparedEntry]):
    """One of the entries, and the letter that stands for it."""

    letter = serializers.CharField()
    entry = serializers.CharField()
    submission = serializers.UUIDField()
    created_at = serializers.DateTimeField()


class EstimateAnswer(serializers.Serializer[Estimate]):
    """A figure with its 95 % interval, where it has one."""

    n = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class ComparedRunAnswer(serializers.Serializer[ComparedRun]):
    """The figures of one entry; metrics are shares from 0 to 1."""

    letter = serializers.CharField(source="compared.letter")
    rank = serializers.IntegerField(allow_null=True)
    tie_group = serializers.IntegerField(allow_null=True)
    strict_ex = EstimateAnswer(source="report.strict_ex")
    soft_ex = EstimateAnswer(source="report.soft_ex")
    exec_rate = EstimateAnswer(source="report.exec_rate")
    coverage = serializers.FloatField(source="report.coverage", allow_null=True)
    n = serializers.IntegerField(source="report.n")
    outcomes = serializers.SerializerMethodField(help_text="how many items ended in each class")
    date = serializers.DateTimeField(source="ended_at")
    scorer = serializers.CharField()
    engine = serializers.CharField()
    demo_engine = serializers.BooleanField()

    def get_outcomes(self, run: ComparedRun) -> dict[str, int]:
        """The classes that have items."""
        report: Report = run.report
        return dict(report.outcomes)


class PairAnswer(serializers.Serializer[ComparedPair]):
    """Two entries on the items that both were judged on, by Strict-EX."""

    first = serializers.CharField(source="first.letter")
    second = serializers.CharField(source="second.letter")
    both = serializers.IntegerField(source="contrast.both")
    first_only = serializers.IntegerField(source="contrast.first_only")
    second_only = serializers.IntegerField(source="contrast.second_only")
    neither = serializers.IntegerField(source="contrast.neither")
    difference = EstimateAnswer(
        source="contrast.difference", help_text="first minus second, from -1 to 1, clustered by database"
    )
    p_value = serializers.FloatField(source="contrast.p_value", help_text="exact McNemar test, two-sided")
    adjusted = serializers.FloatField(source="contrast.adjusted", help_text="by Holm over the pairs of this condition")
    better = serializers.CharField(
        source="better.letter", default=None, allow_null=True, help_text="null where they cannot be told apart"
    )


class EntryShareAnswer(serializers.Serializer[EntryShare]):
    """One entry on the items of a group; won and lost against the first entry."""

    judged = serializers.IntegerField()
    right = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    won = serializers.IntegerField()
    lost = serializers.IntegerField()


class GroupAnswer(serializers.Serializer[GroupContrast]):
    """The entries on the items of one database or difficulty, in the order of `runs`."""

    name = serializers.CharField()
    n = serializers.IntegerField()
    entries = EntryShareAnswer(many=True)


class ComparedConditionAnswer(serializers.Serializer[ComparedCondition]):
    """The entries that were scored in one condition."""

    condition = serializers.ChoiceField(CONDITIONS)
    runs = ComparedRunAnswer(many=True)
    pairs = PairAnswer(many=True)
    per_database = GroupAnswer(many=True)
    per_difficulty = GroupAnswer(many=True)


class DifferingItemAnswer(serializers.Serializer[DifferingItem]):
    """An item that some entries have right and some wrong; outcomes are in the order of `entries`."""

    condition = serializers.ChoiceField(CONDITIONS)
    question_id = serializers.CharField()
    db_id = serializers.CharField()
    difficulty = serializers.CharField()
    question = serializers.CharField()
    outcomes = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="null where an entry was not judged on the item"
    )


class DifferencesAnswer(serializers.Serializer[Page[DifferingItem]]):
    """One page of the items on which the entries differ."""

    total = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    results = DifferingItemAnswer(many=True, source="items")


class ComparisonAnswer(serializers.Serializer[Comparison]):
    """Entries of one release side by side."""

    release = serializers.CharField()
    digest = serializers.CharField(source="release.digest")
    entries = ComparedEntryAnswer(many=True)
    conditions = ComparedConditionAnswer(many=True)
    differing_items = serializers.SerializerMethodField(help_text="null where they were not asked for")

    @extend_schema_field(DifferencesAnswer(allow_null=True))
    def get_differing_items(self, _: Comparison) -> Any:
        """The page that the view has read, if it has."""
        page = self.context["differing_items"]
        return None if page is None else DifferencesAnswer(page).data
