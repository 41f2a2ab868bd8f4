"""What the API answers with: the JSON form, and with it the schema, of what selectors give."""

import uuid
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from evaluation.predictions.types import PredictionFormat, PredictionSet
from evaluation.types import Condition, Outcome
from leaderboard.api.model_answers import AskingAnswer, DollarField, EndpointAnswer, FactsAnswer, GainAnswer
from leaderboard.models.releases import Release
from leaderboard.models.states import RunState
from leaderboard.selectors.items import ItemView, ReplyFacts
from leaderboard.selectors.pages import Page
from leaderboard.selectors.queue import QueuePlace
from leaderboard.selectors.releases import ReleaseSummary
from leaderboard.selectors.submissions import RunView, SubmissionStatus, SubmissionView

CONDITIONS = [condition.value for condition in Condition]


class ProgressAnswer(serializers.Serializer[Any]):
    """How many items of a run have a verdict."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()


class PlaceAnswer(serializers.Serializer[QueuePlace]):
    """Where an active run stands; the seconds are estimates, null while no worker is there."""

    position = serializers.IntegerField(help_text="among the queued runs, from 1; 0 once workers are on it")
    start_seconds = serializers.FloatField(allow_null=True)
    finish_seconds = serializers.FloatField(allow_null=True)


class RunAnswer(serializers.Serializer[RunView]):
    """The scoring of one condition; `report` is there when the run has ended with scores."""

    condition = serializers.ChoiceField(CONDITIONS)
    state = serializers.ChoiceField(RunState.choices)
    reason = serializers.CharField(help_text="why it ended without a score; for the owner")
    progress = ProgressAnswer()
    deadline = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    scorer = serializers.CharField()
    engine = serializers.CharField()
    demo_engine = serializers.BooleanField()
    rank = serializers.IntegerField(allow_null=True)
    tie_group = serializers.IntegerField(allow_null=True)
    resume_at = serializers.DateTimeField(allow_null=True, help_text="when an incomplete run is taken up again")
    place = PlaceAnswer(allow_null=True)
    generation = AskingAnswer(source="asking", allow_null=True, help_text="null where the predictions came in a file")
    report = serializers.SerializerMethodField()

    def get_report(self, run: RunView) -> dict[str, Any] | None:
        """The report as the scorer writes it; metrics are shares from 0 to 1."""
        return None if run.report is None else run.report.as_json()


class FileAnswer(serializers.Serializer[SubmissionView]):
    """The prediction file: its form, digest and size."""

    format = serializers.ChoiceField([form.value for form in PredictionFormat], source="file_format")
    sha256 = serializers.CharField(source="file_sha256")
    bytes = serializers.IntegerField(source="file_bytes")


class LinksAnswer(serializers.Serializer[SubmissionView]):
    """Whole addresses; `items` and `cancel` are for the owner."""

    html = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField()
    items = serializers.SerializerMethodField()
    cancel = serializers.SerializerMethodField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """`self` is a field as well, which cannot be declared under that name."""
        return {"self": serializers.SerializerMethodField("get_self_link"), **super().get_fields()}

    def get_self_link(self, view: SubmissionView) -> str:
        """The submission's status."""
        return self._absolute("api:submission", view.id)

    def get_html(self, view: SubmissionView) -> str:
        """The submission's page."""
        return self._absolute("submission", view.id)

    def get_events(self, view: SubmissionView) -> str:
        """What happened to its runs."""
        return self._absolute("api:events", view.id)

    def get_items(self, view: SubmissionView) -> str:
        """The verdicts on single items."""
        return self._absolute("api:items", view.id)

    def get_cancel(self, view: SubmissionView) -> str:
        """Where to POST to cancel it."""
        return self._absolute("api:cancel", view.id)

    def _absolute(self, name: str, submission_id: uuid.UUID) -> str:
        return str(self.context["request"].build_absolute_uri(reverse(name, args=[submission_id])))


class SubmissionAnswer(serializers.Serializer[SubmissionView]):
    """A submission with its runs."""

    id = serializers.UUIDField()
    entry = serializers.CharField()
    description = serializers.CharField()
    release = serializers.CharField()
    status = serializers.ChoiceField([status.value for status in SubmissionStatus])
    created_at = serializers.DateTimeField()
    file = FileAnswer(allow_null=True, help_text="null where a model is asked")
    endpoint = EndpointAnswer(allow_null=True, help_text="null where the predictions came in a file")
    facts = FactsAnswer(allow_null=True, help_text="claimed by the submitter; null where nothing was said")
    evidence_gain = GainAnswer(source="gain", allow_null=True, help_text="null until both conditions are scored")
    links = LinksAnswer(source="*")
    rescored_from = serializers.UUIDField(
        source="rescoring.before.submission",
        default=None,
        allow_null=True,
        help_text="the submission to the corrected release whose predictions these are",
    )
    rescored_as = serializers.UUIDField(
        source="rescored_as.submission",
        default=None,
        allow_null=True,
        help_text="the same predictions under the release that corrects this one",
    )
    runs = RunAnswer(many=True)


class CountAnswer(serializers.Serializer[Any]):
    """How many predictions a file has for one condition."""

    condition = serializers.ChoiceField(CONDITIONS)
    predictions = serializers.IntegerField()


class ValidationAnswer(serializers.Serializer[Any]):
    """What was found in a file that could be submitted."""

    release = serializers.CharField()
    format = serializers.ChoiceField([form.value for form in PredictionFormat])
    sha256 = serializers.CharField()
    bytes = serializers.IntegerField()
    conditions = CountAnswer(many=True)
    notes = serializers.ListField(child=serializers.CharField())


def validation_found(release: Release, predictions: PredictionSet) -> dict[str, Any]:
    """What `ValidationAnswer` shows of a file."""
    return {
        "release": str(release),
        "format": predictions.format,
        "sha256": predictions.sha256,
        "bytes": predictions.size,
        "conditions": [
            {"condition": condition, "predictions": len(predictions.texts[condition])}
            for condition in predictions.conditions
        ],
        "notes": predictions.notes,
    }


class ReplyAnswer(serializers.Serializer[ReplyFacts]):
    """The model's last reply to one item, as this site received it; its text is `predicted`."""

    number = serializers.IntegerField(help_text="repairs before it")
    reason = serializers.CharField(help_text="why it holds no query; empty where it has a text")
    message = serializers.CharField(help_text="a sentence with the reason, the endpoint's where there is one")
    calls = serializers.IntegerField(help_text="of the endpoint for this reply, failures included")
    model = serializers.CharField(help_text="as the endpoint names it")
    finish_reason = serializers.CharField()
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    reasoning_tokens = serializers.IntegerField()
    cost_usd = DollarField(source="cost")
    milliseconds = serializers.FloatField()
    prompt_digest = serializers.CharField()


class ItemAnswer(serializers.Serializer[ItemView]):
    """One item of one run."""

    condition = serializers.ChoiceField(CONDITIONS)
    question_id = serializers.CharField()
    db_id = serializers.CharField()
    difficulty = serializers.CharField()
    split = serializers.CharField()
    question = serializers.CharField()
    outcome = serializers.ChoiceField([outcome.value for outcome in Outcome])
    executed = serializers.BooleanField(allow_null=True)
    soft = serializers.BooleanField(allow_null=True)
    strict = serializers.BooleanField(allow_null=True)
    reason = serializers.CharField()
    message = serializers.CharField()
    milliseconds = serializers.FloatField(allow_null=True)
    diagnostics = serializers.DictField()
    scored_at = serializers.DateTimeField()
    predicted = serializers.CharField()
    gold_query = serializers.CharField(allow_null=True, help_text="null for items of the hidden split")
    gold_ambiguous = serializers.BooleanField(help_text="gold's answer owes something to the engine's order")
    reply = ReplyAnswer(allow_null=True, help_text="null where the predictions came in a file")


class ItemsAnswer(serializers.Serializer[Page[ItemView]]):
    """One page of items."""

    total = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    next = serializers.SerializerMethodField(help_text="address of the next page, null on the last one")
    results = ItemAnswer(many=True, source="items")

    def get_next(self, page: Page[ItemView]) -> str | None:
        """The same address with the next page's number."""
        request = self.context["request"]
        if page.page >= page.pages:
            return None
        query = request.query_params.copy()
        query["page"] = str(page.page + 1)
        return str(request.build_absolute_uri(f"{request.path}?{query.urlencode()}"))


class ReleaseAnswer(serializers.Serializer[ReleaseSummary]):
    """One live release."""

    label = serializers.CharField()  # type: ignore[assignment]  # declared fields leave the class
    title = serializers.CharField()
    license = serializers.CharField()
    digest = serializers.CharField()
    live_at = serializers.DateTimeField()
    databases = serializers.IntegerField()
    items = serializers.IntegerField(help_text="items of the track, without those set aside")
    set_aside = serializers.IntegerField()
    corrects = serializers.CharField(help_text="label of the release that this one corrects, or empty")
    corrected_by = serializers.CharField(
        help_text="label of the release that corrects this one, which takes no submissions any more; or empty"
    )


class FaultAnswer(serializers.Serializer[Any]):
    """One fault; `pointer` is a JSON pointer into a JSON body."""

    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    field = serializers.CharField()
    rule = serializers.CharField()
    message = serializers.CharField()
    pointer = serializers.CharField(required=False)


class ProblemAnswer(serializers.Serializer[Any]):
    """A refusal (RFC 9457)."""

    type = serializers.CharField(help_text="address of a page that explains this kind of refusal")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    request_id = serializers.CharField()
    errors = FaultAnswer(many=True, required=False)  # type: ignore[assignment]  # declared fields leave the class
    total = serializers.IntegerField(required=False, help_text="number of faults, where not all are listed")
    cap_bytes = serializers.IntegerField(required=False)
    limit = serializers.IntegerField(required=False, help_text="submissions in one window")
    window_seconds = serializers.IntegerField(required=False)
    reset_at = serializers.DateTimeField(required=False, help_text="from when on the next submission can be sent")
