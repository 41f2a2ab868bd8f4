"""What clients may send: the fields of bodies and query strings, and their forms."""

import re
from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.types import Condition, Outcome
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind
from leaderboard.models.submissions import Submission
from leaderboard.selectors.items import ItemFilter
from leaderboard.selectors.releases import release_current, release_named
from leaderboard.selectors.slices import Slice, Slices
from leaderboard.services.submissions import ReleaseClosedError
from leaderboard.web.names import require_printable

CONDITIONS: Final = [condition.value for condition in Condition]
OUTCOMES: Final = [outcome.value for outcome in Outcome]
LONGEST_WAIT: Final = 25
"""Seconds of one long poll: below the half minute after which proxies and servers give up on a silent answer."""

KEY_FORM: Final = re.compile(r"[\x21-\x7e]{1,255}")


@extend_schema_field(str)
class ReleaseField(serializers.Field[Release, str, str, Release]):
    """`name@version` of a live release."""

    def to_internal_value(self, data: Any) -> Release:
        """The release.

        Raises:
            ValidationError: no live release has this name and version.
        """
        release = release_named(data) if isinstance(data, str) else None
        if release is None:
            raise serializers.ValidationError("No live release has this name; /api/v1/releases lists them.", "unknown")
        return release


class PredictionsRequest(serializers.Serializer[Any]):
    """A prediction file to be checked."""

    file = serializers.FileField(allow_empty_file=True, max_length=255, help_text="JSON lines, a list, or a dictionary")
    release = ReleaseField(required=False, help_text="name@version; the current release if not given")
    condition = serializers.ChoiceField(
        CONDITIONS, required=False, default=None, help_text="condition of predictions that name none"
    )


class SubmissionRequest(PredictionsRequest):
    """A prediction file to be scored."""

    entry = serializers.CharField(max_length=80, validators=[require_printable], help_text="name on the board")
    description = serializers.CharField(
        max_length=500, required=False, default="", allow_blank=True, validators=[require_printable]
    )


class PredictionsBody(serializers.Serializer[Any]):
    """The JSON form of `PredictionsRequest`, for the schema."""

    predictions = serializers.JSONField(help_text="a list of records or a dictionary from question_id to query")
    release = serializers.CharField(required=False)
    condition = serializers.ChoiceField(CONDITIONS, required=False)


class SubmissionBody(PredictionsBody):
    """The JSON form of `SubmissionRequest`, for the schema."""

    entry = serializers.CharField(max_length=80)
    description = serializers.CharField(max_length=500, required=False)


class BoardQuery(serializers.Serializer[Any]):
    """Which board."""

    release = ReleaseField(required=False, help_text="name@version; the current release if not given")
    condition = serializers.ChoiceField(CONDITIONS, required=False, default=None)
    database = serializers.CharField(required=False, help_text="only this database's items; not with difficulty")
    difficulty = serializers.CharField(required=False, help_text="only items of this difficulty; not with database")
    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)


class BreakdownQuery(serializers.Serializer[Any]):
    """Which table of entries by slices."""

    by = serializers.ChoiceField(SliceKind.values)
    release = ReleaseField(required=False, help_text="name@version; the current release if not given")
    condition = serializers.ChoiceField(CONDITIONS, required=False, default=None)
    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)


class StatusQuery(serializers.Serializer[Any]):
    """How long to wait for an end."""

    wait = serializers.FloatField(
        min_value=0,
        max_value=30,
        required=False,
        default=0,
        help_text=f"seconds to wait for an end, at most {LONGEST_WAIT}; for signed-in clients",
    )


class ItemsQuery(serializers.Serializer[Any]):
    """Which items."""

    condition = serializers.ChoiceField(CONDITIONS, required=False, default=None)
    outcome = serializers.ChoiceField(OUTCOMES, required=False, default=None)
    database = serializers.CharField(max_length=128, required=False, default="")
    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)


def release_wanted(fields: dict[str, Any], *, repeats: Submission | None = None) -> Release:
    """The release that was asked for, or the current one; of a request that repeats another, the one current then.

    Raises:
        ReleaseClosedError: none was asked for, and none is live.
    """
    release: Release | None = fields.get("release") or (repeats.release if repeats else release_current())
    if release is None:
        raise ReleaseClosedError("No release is live yet: there is nothing to submit to.")
    return release


def condition_wanted(fields: dict[str, Any]) -> Condition | None:
    """The condition that was asked for, if any."""
    return Condition(fields["condition"]) if fields["condition"] else None


def conditions_wanted(fields: dict[str, Any]) -> tuple[Condition, ...]:
    """The condition that was asked for, or all of them."""
    condition = condition_wanted(fields)
    return tuple(Condition) if condition is None else (condition,)


def slice_wanted(fields: dict[str, Any], found: Slices) -> Slice | None:
    """The slice that was asked for, if any.

    Raises:
        ValidationError: the release has none of this name, or a database and a difficulty were asked for.
    """
    asked = [kind for kind in SliceKind if fields.get(kind)]
    if len(asked) > 1:
        raise _refused(
            asked[-1], "Ask for a database or for a difficulty; figures of both together are not kept.", "both"
        )
    for kind in asked:
        part = found.named(kind, fields[kind])
        if part is None:
            names = ", ".join(each.name for each in found.columns(kind).parts)
            raise _refused(kind, f"This release has no such {kind}. There are: {names}.", "unknown")
        return part
    return None


def _refused(field: str, message: str, rule: str) -> serializers.ValidationError:
    return serializers.ValidationError({field: [serializers.ErrorDetail(message, code=rule)]})


def items_wanted(fields: dict[str, Any]) -> ItemFilter:
    """The items that were asked for."""
    outcome = Outcome(fields["outcome"]) if fields["outcome"] else None
    return ItemFilter(condition=condition_wanted(fields), outcome=outcome, database=fields["database"])


def idempotency_key(header: str | None) -> str:
    """The `Idempotency-Key` header, "" where it was not sent.

    Raises:
        ValidationError: it is not 1 to 255 visible ASCII characters.
    """
    if header is None or KEY_FORM.fullmatch(header):
        return header or ""
    raise _refused("Idempotency-Key", "Write 1 to 255 visible ASCII characters, for example a UUID.", "invalid")
