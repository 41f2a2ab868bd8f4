"""How the API tells of quota: an answer, and the headers that go with submissions and refusals."""

import math
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from leaderboard.selectors.quota import QuotaState


class QuotaAnswer(serializers.Serializer[QuotaState]):
    """What is left of one benchmark's quota, for the user or the user's team."""

    benchmark = serializers.CharField()
    limit = serializers.IntegerField(help_text="submissions in one rolling window; 0: no limit")
    used = serializers.IntegerField()
    remaining = serializers.IntegerField(allow_null=True, help_text="null where there is no limit")
    window_seconds = serializers.IntegerField()
    reset_at = serializers.DateTimeField(allow_null=True, help_text="when one more can be sent, or the oldest expires")


def quota_headers(state: QuotaState) -> dict[str, str]:
    """`RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers); none where there is no limit."""
    if state.remaining is None:
        return {}
    seconds = state.window_seconds if state.reset_at is None else retry_seconds(state)
    return {
        "RateLimit-Policy": f'"submissions";q={state.limit};w={state.window_seconds}',
        "RateLimit": f'"submissions";r={state.remaining};t={seconds}',
    }


def retry_seconds(state: QuotaState) -> int:
    """Whole seconds until `reset_at`, at least one."""
    if state.reset_at is None:
        return 1
    return max(1, math.ceil((state.reset_at - timezone.now()).total_seconds()))


def quota_members(state: QuotaState) -> dict[str, Any]:
    """What a refusal tells beyond its sentence."""
    return {
        "limit": state.limit,
        "window_seconds": state.window_seconds,
        "reset_at": None if state.reset_at is None else state.reset_at.isoformat().replace("+00:00", "Z"),
    }
