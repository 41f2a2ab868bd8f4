"""The form that names a model endpoint."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, cast

from django import forms
from django.db import models
from django.forms.boundfield import BoundField

from evaluation.addresses import LONGEST_URL
from evaluation.prompts.templates import TEMPLATES
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.releases import Release
from leaderboard.selectors.endpoints import releases_askable
from leaderboard.services.endpoints import MOST_LINKS, EndpointRequest, Facts, endpoint_faults
from leaderboard.web.forms import CONDITIONS
from leaderboard.web.names import require_printable

LONGEST_KEY: Final = 4096
DEFAULTS: Final[Mapping[str, Any]] = {
    one.name: one.default for one in fields(EndpointRequest) if one.default is not MISSING
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that stand together under a legend."""

    legend: str
    help: str
    fields: tuple[BoundField, ...]


def length_of(model: type[ModelEndpoint] | type[ModelFacts], name: str) -> int:
    """How long a text the table takes."""
    return cast("models.CharField[str, str]", model._meta.get_field(name)).max_length or 0


def said(name: str, label: str, **options: Any) -> forms.CharField:
    """One of the facts."""
    longest = length_of(ModelFacts, name)
    return forms.CharField(max_length=longest, required=False, validators=[require_printable], label=label, **options)


def whole(name: str, label: str, **options: Any) -> forms.IntegerField:
    """A whole number; its bounds are the service's."""
    return forms.IntegerField(required=False, initial=DEFAULTS[name], label=label, **options)


def dollars(label: str, **options: Any) -> forms.DecimalField:
    """An amount of US dollars."""
    widget = forms.TextInput(attrs={"inputmode": "decimal"})
    return forms.DecimalField(required=False, max_digits=14, decimal_places=8, label=label, widget=widget, **options)


class EndpointForm(forms.Form):
    """A model endpoint, how to ask it, and what is claimed of its model."""

    release = forms.ModelChoiceField(queryset=Release.objects.none(), empty_label=None, label="Benchmark release")
    entry = forms.CharField(
        max_length=80,
        validators=[require_printable],
        label="Entry name",
        help_text="The name shown on the board, at most 80 characters.",
    )
    description = forms.CharField(
        max_length=500, required=False, validators=[require_printable], label="Description (optional)"
    )
    model = forms.CharField(
        max_length=200,
        label="Model",
        help_text="As the endpoint names it. Without an address: provider/model.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
    )
    address = forms.CharField(
        max_length=LONGEST_URL,
        required=False,
        strip=False,
        label="Address (for an endpoint of your own)",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text="Base address of an OpenAI-compatible endpoint on a public server, "
        "such as https://models.example.org/v1.",
    )
    key = forms.CharField(
        max_length=LONGEST_KEY,
        required=False,
        strip=False,
        label="API key",
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="Kept encrypted, read by the asking worker only, and deleted when the runs have ended. It is never "
        "shown again: after a fault in the form, enter it once more.",
    )
    conditions = forms.MultipleChoiceField(
        choices=CONDITIONS,
        initial=list(Condition),
        widget=forms.CheckboxSelectMultiple,
        label="Conditions",
        help_text="In both, the board also shows what evidence adds.",
    )
    template = forms.ChoiceField(
        choices=[(label, label) for label in TEMPLATES],
        initial=DEFAULTS["template"],
        label="Wording of the prompts",
        help_text="The compact one describes a database in fewer words, for small contexts.",
    )
    repairs = whole(
        "repairs",
        "Repairs",
        help_text="How often a query that cannot be run may be corrected: 0 to 3. The model is told the error only.",
    )
    temperature = forms.FloatField(
        required=False, initial=0.0, label="Temperature", help_text="Empty leaves it to the provider."
    )
    seed = whole("seed", "Seed", help_text="Empty leaves it to the provider.")
    reasoning_effort = forms.CharField(
        max_length=20,
        required=False,
        validators=[require_printable],
        label="Reasoning effort (optional)",
        help_text="Such as low or high, for models that reason.",
    )
    most_completion_tokens = whole(
        "most_completion_tokens", "Longest reply, tokens", help_text="Reasoning is part of it."
    )
    context_tokens = whole(
        "context_tokens",
        "Context of the model, tokens (optional)",
        help_text="Where a database does not fit, it is described in fewer words.",
    )
    concurrency = whole("concurrency", "Calls at once", help_text="1 to 64.")
    per_minute = forms.FloatField(required=False, label="Calls a minute, at most (optional)")
    budget_usd = dollars(
        "Budget, US dollars (optional)", help_text="For both conditions together; checked before each call."
    )
    budget_tokens = whole("budget_tokens", "Budget, tokens (optional)", help_text="Of prompts and replies together.")
    price_prompt = dollars("Price of a million prompt tokens, US dollars (optional)")
    price_completion = dollars(
        "Price of a million reply tokens, US dollars (optional)",
        help_text="Where both prices are empty, those known for a provider's model are taken.",
    )
    provider = said("provider", "Provider")
    name = said("name", "Name of the model")
    version = said("version", "Version")
    open_weights = forms.TypedChoiceField(
        choices=[("", "Not said"), ("yes", "Open weights"), ("no", "Closed weights")],
        coerce=lambda word: word == "yes",
        empty_value=None,
        required=False,
        label="Weights",
    )
    parameters = said("parameters", "Parameters", help_text="Such as 120B, 5B active.")
    license = said("license", "Licence")
    links = forms.CharField(
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        label="Links",
        help_text=f"One https address a line, at most {MOST_LINKS}: model card, paper, code.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        release = cast("forms.ModelChoiceField[Release]", self.fields["release"])
        release.queryset = releases_askable()
        release.initial = release.queryset.first()

    def clean(self) -> dict[str, Any]:
        """Tell the service's faults as well, each at its field, also where other fields could not be read."""
        given = {**self.cleaned_data, "model": self.cleaned_data.get("model", "")}
        for fault in endpoint_faults(endpoint_request(given)):
            if fault.field not in self.errors:
                self.add_error(fault.field, fault.message[:1].upper() + fault.message[1:])
        return self.cleaned_data

    def groups(self) -> tuple[FieldGroup, ...]:
        """The fields as they stand together."""
        return tuple(
            FieldGroup(legend=legend, help=words, fields=tuple(self[name] for name in names))
            for legend, words, names in GROUPS
        )


GROUPS: Final = (
    ("Entry", "", ("release", "entry", "description")),
    ("Model and address", "", ("model", "address", "key")),
    ("Conditions and prompts", "", ("conditions", "template", "repairs")),
    (
        "Sampling",
        "Recorded with the score.",
        ("temperature", "seed", "reasoning_effort", "most_completion_tokens", "context_tokens"),
    ),
    (
        "Limits and budget",
        "Five items are asked first: where none of them is answered, nothing more is asked.",
        ("concurrency", "per_minute", "budget_usd", "budget_tokens", "price_prompt", "price_completion"),
    ),
    (
        "Facts of the model (optional)",
        "Shown beside the entry as claimed: nobody checks them.",
        ("provider", "name", "version", "open_weights", "parameters", "license", "links"),
    ),
)

NULLABLE: Final = frozenset({"temperature", "seed", *(name for name, value in DEFAULTS.items() if value is None)})
"""Fields that mean something when they are empty."""


def endpoint_request(given: Mapping[str, Any]) -> EndpointRequest:
    """The service's request of what could be read; a field that could not takes its default."""
    values = {
        name: given[name]
        for name in DEFAULTS
        if name in given and name not in {"conditions", "facts"} and (given[name] is not None or name in NULLABLE)
    }
    conditions = tuple(Condition(name) for name in given["conditions"]) if "conditions" in given else tuple(Condition)
    return EndpointRequest(model=given["model"], **values, conditions=conditions, facts=_facts(given))


def _facts(given: Mapping[str, Any]) -> Facts:
    said_of_it = {one.name: given[one.name] for one in fields(Facts) if one.name in given and one.name != "links"}
    links = tuple(line.strip() for line in given.get("links", "").splitlines() if line.strip())
    return Facts(**said_of_it, links=links)
