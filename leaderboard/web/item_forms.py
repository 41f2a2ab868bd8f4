"""The filters over items that pages read from their addresses; what cannot be read is as if it were not there."""

from collections.abc import Mapping
from typing import Any, Final, cast

from django import forms

from benchmark_data.types import Difficulty, Split
from evaluation.types import Condition
from leaderboard.selectors.compared_items import DifferenceFilter
from leaderboard.selectors.comparison import Comparison
from leaderboard.selectors.release_items import ItemSort, ReleaseItemFilter
from leaderboard.web.names import CONDITION_NAMES

CONDITIONS = [(condition.value, CONDITION_NAMES[condition]) for condition in Condition]


class FilterForm(forms.Form):
    """Filters over a list in pages."""

    page = forms.IntegerField(min_value=1, max_value=100_000, required=False, widget=forms.HiddenInput)

    def readable(self) -> dict[str, Any]:
        """The fields that could be read."""
        self.is_valid()
        return self.cleaned_data

    def page_wanted(self) -> int:
        """The page that is asked for."""
        return self.readable().get("page") or 1

    def offer(self, field: str, choices: list[tuple[str, str]]) -> None:
        """Let a field be one of some choices, or all of them."""
        cast(forms.ChoiceField, self.fields[field]).choices = [("", "All"), *choices]


class DifferencesForm(FilterForm):
    """Which items to show of those on which compared entries differ."""

    condition = forms.ChoiceField(required=False, label="Condition")
    right = forms.ChoiceField(required=False, label="Right in")
    wrong = forms.ChoiceField(required=False, label="Wrong in")
    database = forms.ChoiceField(required=False, label="Database")

    def __init__(self, query: Mapping[str, Any], *, comparison: Comparison) -> None:
        super().__init__(query)
        self.entries = {entry.letter: entry for entry in comparison.entries}
        named = [(entry.letter, f"{entry.letter}: {entry.entry}") for entry in comparison.entries]
        self.offer("condition", CONDITIONS)
        self.offer("right", named)
        self.offer("wrong", named)
        databases = sorted({group.name for each in comparison.conditions for group in each.per_database})
        self.offer("database", [(name, name) for name in databases])

    def wanted(self) -> DifferenceFilter:
        """The items that are asked for."""
        fields = self.readable()
        return DifferenceFilter(
            condition=Condition(fields["condition"]) if fields.get("condition") else None,
            database=fields.get("database") or "",
            right=self.entries.get(fields.get("right") or ""),
            wrong=self.entries.get(fields.get("wrong") or ""),
        )


ORDERS: Final = {
    ItemSort.POSITION.value: "of the release",
    ItemSort.POSITION_DOWN.value: "of the release, from its end",
    ItemSort.WITH_HARDEST.value: "hardest with evidence first",
    ItemSort.WITH_EASIEST.value: "easiest with evidence first",
    ItemSort.WITHOUT_HARDEST.value: "hardest without evidence first",
    ItemSort.WITHOUT_EASIEST.value: "easiest without evidence first",
}


class ReleaseItemsForm(FilterForm):
    """Which items of a release to show."""

    text = forms.CharField(max_length=200, required=False, label="Question contains")
    database = forms.ChoiceField(required=False, label="Database")
    difficulty = forms.ChoiceField(required=False, label="Difficulty")
    split = forms.ChoiceField(required=False, label="Gold")
    evidence = forms.ChoiceField(required=False, label="Evidence")
    sort = forms.ChoiceField(choices=[*ORDERS.items()], required=False, label="Order")

    def __init__(self, query: Mapping[str, Any], *, databases: tuple[str, ...]) -> None:
        super().__init__(query)
        self.offer("database", [(name, name) for name in databases])
        self.offer("difficulty", [(level.value, level.value) for level in Difficulty])
        self.offer("split", [(split.value, split.value) for split in Split])
        self.offer("evidence", [("yes", "with evidence"), ("no", "without any")])

    def wanted(self) -> ReleaseItemFilter:
        """The items that are asked for."""
        fields = self.readable()
        return ReleaseItemFilter(
            database=fields.get("database") or "",
            difficulty=Difficulty(fields["difficulty"]) if fields.get("difficulty") else None,
            split=Split(fields["split"]) if fields.get("split") else None,
            evidence={"yes": True, "no": False}.get(fields.get("evidence") or ""),
            text=fields.get("text") or "",
        )

    def sort_wanted(self) -> ItemSort:
        """The order that is asked for."""
        return ItemSort(self.readable().get("sort") or ItemSort.POSITION)
