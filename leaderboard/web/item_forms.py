"""The filters over items that pages read from their addresses; what cannot be read is as if it were not there."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms

from evaluation.types import Condition
from leaderboard.selectors.compared_items import DifferenceFilter
from leaderboard.selectors.comparison import Comparison
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
