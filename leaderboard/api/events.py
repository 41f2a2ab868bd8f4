"""How the API tells of events."""

from typing import Any

from rest_framework import serializers

from leaderboard.api.answers import CONDITIONS
from leaderboard.models.events import EventKind
from leaderboard.selectors.events import EventView
from leaderboard.selectors.pages import Page


class EventAnswer(serializers.Serializer[EventView]):
    """One thing that happened to a run; `detail` and `data` are for the owner."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    condition = serializers.ChoiceField(CONDITIONS)
    kind = serializers.ChoiceField(EventKind.choices)
    detail = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # declared fields leave the class


class EventsAnswer(serializers.Serializer[Page[EventView]]):
    """One page of events, the newest first."""

    total = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    results = EventAnswer(many=True, source="items")


class EventsQuery(serializers.Serializer[Any]):
    """Which page of events."""

    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)
