"""What the API tells of a submission's model: how it is asked, what that took, and what its submitter claims."""

from typing import Any

from rest_framework import serializers

from leaderboard.selectors.endpoints import AskingView, EndpointView, FactsView, GainView
from leaderboard.selectors.usage import UsageView


class DollarField(serializers.DecimalField):
    """US dollars as a decimal text, exact to the last digit."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=18, decimal_places=8, allow_null=True, **options)


class EndpointAnswer(serializers.Serializer[EndpointView]):
    """How the model is asked; the key is in no answer."""

    model = serializers.CharField()
    template = serializers.CharField(help_text="name and version of the prompts' wording")
    context_tokens = serializers.IntegerField(allow_null=True)
    most_completion_tokens = serializers.IntegerField()
    temperature = serializers.FloatField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    reasoning_effort = serializers.CharField()
    repairs = serializers.IntegerField(help_text="how often a query that could not be run might be corrected")
    concurrency = serializers.IntegerField()
    per_minute = serializers.FloatField(allow_null=True)
    address = serializers.CharField(help_text="for the owner, else empty")
    has_key = serializers.BooleanField(allow_null=True, help_text="whether a key is still kept; for the owner")
    budget_usd = DollarField(help_text="for the owner")
    budget_tokens = serializers.IntegerField(allow_null=True, help_text="for the owner")
    price_prompt = DollarField(help_text="for a million tokens, as its submitter stated it")
    price_completion = DollarField(help_text="for a million tokens, as its submitter stated it")


class FactsAnswer(serializers.Serializer[FactsView]):
    """What the submitter says of the model: claimed, and checked by nobody."""

    provider = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    open_weights = serializers.BooleanField(allow_null=True)
    parameters = serializers.CharField()
    license = serializers.CharField()
    links = serializers.ListField(child=serializers.CharField())


class RowFactsAnswer(serializers.Serializer[Any]):
    """What the submitter says of the model: claimed, and checked by nobody."""

    provider = serializers.CharField()
    name = serializers.CharField()
    version = serializers.CharField()
    open_weights = serializers.BooleanField(allow_null=True)
    parameters = serializers.CharField()
    license = serializers.CharField()


class GainAnswer(serializers.Serializer[GainView]):
    """Strict-EX with evidence minus without over the items judged in both, from -1 to 1, with a 95 % interval."""

    n = serializers.IntegerField()
    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    with_only = serializers.IntegerField(help_text="items that only went right with evidence")
    without_only = serializers.IntegerField(help_text="items that only went right without evidence")
    p_value = serializers.FloatField(help_text="exact McNemar test, two-sided")


class RowGainAnswer(serializers.Serializer[Any]):
    """Strict-EX with evidence minus without over the items judged in both, from -1 to 1, with a 95 % interval."""

    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class RowUsageAnswer(serializers.Serializer[Any]):
    """What asking the model took, as this site measured it."""

    cost_usd = DollarField(source="cost", help_text="null where a price is not known")
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    tokens_estimated = serializers.BooleanField(help_text="the endpoint did not report all of them")
    median_milliseconds = serializers.FloatField(allow_null=True)
    p95_milliseconds = serializers.FloatField(allow_null=True)


class UsageAnswer(RowUsageAnswer):
    """What asking the model took so far, failures and repairs included."""

    usable = serializers.IntegerField(help_text="items with a text")
    reasons = serializers.DictField(child=serializers.IntegerField(), help_text="why the others have none")
    calls = serializers.IntegerField(help_text="of the endpoint, failures included")
    reasoning_tokens = serializers.IntegerField(help_text="part of completion_tokens")
    repairs = serializers.SerializerMethodField(help_text="number of repairs → replies that took so many")

    def get_repairs(self, usage: UsageView) -> dict[str, int]:
        """Keys of a JSON object are texts."""
        return {str(number): count for number, count in usage.repairs.items()}


class AskingAnswer(serializers.Serializer[AskingView]):
    """How far the asking of the model is for one run."""

    replies = serializers.IntegerField(source="usage.items", help_text="items with a final reply")
    total = serializers.IntegerField(help_text="items that are asked")
    usage = UsageAnswer()
    prompts_digest = serializers.CharField(help_text="SHA-256 over all prompts; empty until all replies are in")
    refused = serializers.BooleanField(help_text="the endpoint refused, which its owner must see to")
    message = serializers.CharField(help_text="the last sentence about the asking; for the owner")
