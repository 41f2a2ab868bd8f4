"""What clients may say of a model endpoint, and the request of the service that it makes."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from rest_framework import serializers

from evaluation.addresses import LONGEST_URL
from evaluation.prompts.templates import TEMPLATES
from evaluation.types import Condition
from leaderboard.api.requests import CONDITIONS, ReleaseField
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.services.endpoints import EndpointRequest, Facts
from leaderboard.web.endpoint_form import LONGEST_KEY, length_of
from leaderboard.web.names import require_printable

LONGEST_LINK: Final = 1000

DEFAULTS: Final[Mapping[str, Any]] = {
    one.name: one.default for one in (*fields(EndpointRequest), *fields(Facts)) if one.default is not MISSING
}
"""Those of the service, so that the schema tells them."""


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses members that it does not know: a budget whose name is misspelt must not be no budget."""

    def to_internal_value(self, data: Any) -> Any:
        """The members, read.

        Raises:
            ValidationError: with the faults of all members, known and unknown.
        """
        unknown = {
            name: [serializers.ErrorDetail("There is no such member.", code="unknown_member")]
            for name in (data if isinstance(data, Mapping) else ())
            if name not in self.fields
        }
        try:
            read = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not unknown or not isinstance(error.detail, dict):
                raise
            raise serializers.ValidationError({**error.detail, **unknown}) from None
        if unknown:
            raise serializers.ValidationError(unknown)
        return read


def text(name: str, *, longest: int, **options: Any) -> serializers.CharField:
    """A text that may be left out or empty."""
    default = DEFAULTS.get(name, "")
    return serializers.CharField(max_length=longest, required=False, default=default, allow_blank=True, **options)


def number(name: str, **options: Any) -> dict[str, Any]:
    """The options of a number that may be left out, or null where its default is."""
    nullable = DEFAULTS[name] is None or name in {"temperature", "seed"}
    return {"required": False, "default": DEFAULTS[name], "allow_null": nullable, **options}


def dollars(name: str, help_text: str) -> serializers.DecimalField:
    """An amount of US dollars; given as a number or as a text."""
    return serializers.DecimalField(max_digits=14, decimal_places=8, **number(name, help_text=help_text))


class FactsRequest(StrictSerializer):
    """What you say of the model; it is shown as claimed."""

    provider = text("provider", longest=length_of(ModelFacts, "provider"), validators=[require_printable])
    name = text("name", longest=length_of(ModelFacts, "name"), validators=[require_printable])
    version = text("version", longest=length_of(ModelFacts, "version"), validators=[require_printable])
    open_weights = serializers.BooleanField(required=False, default=None, allow_null=True)
    parameters = text(
        "parameters",
        longest=length_of(ModelFacts, "parameters"),
        validators=[require_printable],
        help_text='such as "120B, 5B active"',
    )
    license = text("license", longest=length_of(ModelFacts, "license"), validators=[require_printable])
    links = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LINK), required=False, default=list, max_length=100
    )


class EndpointSubmissionRequest(StrictSerializer):
    """A model endpoint to be asked and scored."""

    entry = serializers.CharField(max_length=80, validators=[require_printable], help_text="name on the board")
    description = serializers.CharField(
        max_length=500, required=False, default="", allow_blank=True, validators=[require_printable]
    )
    release = ReleaseField(required=False, help_text="name@version; the current release if not given")
    conditions = serializers.ListField(
        child=serializers.ChoiceField(CONDITIONS), required=False, default=list(CONDITIONS), max_length=10
    )
    model = serializers.CharField(
        max_length=length_of(ModelEndpoint, "model"),
        help_text="as the endpoint names it; without an address: provider/model",
    )
    # Not trimmed: white space in an address or a key is a fault that is told, not one that is hidden.
    address = text(
        "address",
        longest=LONGEST_URL,
        trim_whitespace=False,
        help_text="base address of an OpenAI-compatible endpoint, such as https://models.example.org/v1",
    )
    key = text(
        "key",
        longest=LONGEST_KEY,
        trim_whitespace=False,
        write_only=True,
        help_text="API key; kept encrypted until the runs have ended, and in no answer",
    )
    template = serializers.ChoiceField(list(TEMPLATES), required=False, default=DEFAULTS["template"])
    context_tokens = serializers.IntegerField(**number("context_tokens", help_text="of the model; null for any"))
    most_completion_tokens = serializers.IntegerField(**number("most_completion_tokens"))
    temperature = serializers.FloatField(**number("temperature", help_text="null leaves it to the provider"))
    seed = serializers.IntegerField(**number("seed", help_text="null leaves it to the provider"))
    reasoning_effort = text(
        "reasoning_effort", longest=length_of(ModelEndpoint, "reasoning_effort"), validators=[require_printable]
    )
    concurrency = serializers.IntegerField(**number("concurrency", help_text="calls under way at once"))
    per_minute = serializers.FloatField(**number("per_minute", help_text="calls started in a minute, at most"))
    repairs = serializers.IntegerField(**number("repairs", help_text="for a query that cannot be run"))
    budget_usd = dollars("budget_usd", "for all runs together; null for any amount")
    budget_tokens = serializers.IntegerField(**number("budget_tokens", help_text="for all runs together"))
    price_prompt = dollars("price_prompt", "US dollars for a million tokens")
    price_completion = dollars("price_completion", "US dollars for a million tokens")
    facts = FactsRequest(required=False)


_NOT_OF_THE_ENDPOINT: Final = frozenset({"entry", "description", "release", "conditions", "facts"})


def endpoint_wanted(given: Mapping[str, Any]) -> EndpointRequest:
    """The service's request of what was read."""
    facts = given.get("facts") or {}
    return EndpointRequest(
        **{name: value for name, value in given.items() if name not in _NOT_OF_THE_ENDPOINT},
        conditions=tuple(dict.fromkeys(Condition(name) for name in given["conditions"])),
        facts=Facts(**{**facts, "links": tuple(facts.get("links", ()))}),
    )
