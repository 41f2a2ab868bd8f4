"""The forms of the site, and what pages read from their addresses."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, cast

from django import forms
from django.conf import settings
from django.core.validators import validate_email

from evaluation.addresses import LONGEST_URL
from evaluation.types import Condition, Outcome
from leaderboard.models.notices import MailChoice
from leaderboard.models.releases import Release
from leaderboard.models.tokens import TokenScope
from leaderboard.selectors.breakdowns import CELL_MARK
from leaderboard.selectors.items import ItemFilter
from leaderboard.selectors.releases import LONGEST_LABEL, releases_open
from leaderboard.web.names import CONDITION_NAMES, file_size, require_printable

LONGEST_NAME: Final = 128
"""Of a database."""

CONDITIONS = [(condition.value, CONDITION_NAMES[condition]) for condition in Condition]
OUTCOMES = [(outcome.value, outcome.replace("_", " ")) for outcome in reversed(Outcome)]


class SubmissionForm(forms.Form):
    """A prediction file and what the board calls it."""

    release = forms.ModelChoiceField(queryset=Release.objects.none(), empty_label=None, label="Benchmark release")
    entry = forms.CharField(
        max_length=80,
        validators=[require_printable],
        label="Entry name",
        help_text="The name shown on the board, for example the model and its prompt. At most 80 characters.",
    )
    description = forms.CharField(
        max_length=500,
        required=False,
        validators=[require_printable],
        label="Description (optional)",
        help_text="One line for visitors: base model, training data, a link to the paper.",
    )
    condition = forms.ChoiceField(
        choices=[("", "The file names it"), *CONDITIONS],
        required=False,
        label="Condition",
        help_text="For files whose predictions name no condition: were they made with the evidence of each question?",
    )
    file = forms.FileField(label="Prediction file", allow_empty_file=True, max_length=255)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        release = cast("forms.ModelChoiceField[Release]", self.fields["release"])
        release.queryset = releases_open()
        release.initial = release.queryset.first()
        self.fields["file"].help_text = (
            f"JSON lines, a JSON list, or a dictionary from question id to query; at most "
            f"{file_size(settings.SUBMISSION_BYTES)}, gzip is fine."
        )


SCOPES = {
    "submit read": "Submit and read",
    "submit": "Submit only: send, check and cancel submissions, and follow their public state",
    "read": "Read only: verdicts on single items, the log, the quota",
}


def scopes_of(words: str) -> tuple[TokenScope, ...]:
    """The scopes that a choice stands for: "submit read" → both."""
    return tuple(TokenScope(word) for word in words.split())


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        max_length=80,
        validators=[require_printable],
        label="Name",
        help_text="To tell your tokens apart: where will it be used?",
    )
    scopes = forms.TypedChoiceField(
        coerce=scopes_of,
        choices=list(SCOPES.items()),
        initial="submit read",
        label="What it may do",
        help_text="A program that only sends needs no right to read.",
    )
    days = forms.TypedChoiceField(
        coerce=int,
        choices=[(30, "30 days"), (90, "90 days"), (365, "1 year")],
        initial=90,
        label="Valid for",
    )


class MailForm(forms.Form):
    """Which notices come by e-mail."""

    mail = forms.ChoiceField(choices=MailChoice.choices, widget=forms.RadioSelect, label="Notices by e-mail")


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        max_length=LONGEST_URL,
        label="Address",
        help_text="An https address of a public server, without user name and password in it.",
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )


class DeleteAccountForm(forms.Form):
    """The name of the account that is to be deleted, typed by its owner."""

    name = forms.CharField(
        max_length=150,
        label="Your username",
        help_text="Type it, to show that you mean it.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, username: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.username = username

    def clean_name(self) -> str:
        """The name, if it is the account's."""
        name: str = self.cleaned_data["name"]
        if name != self.username:
            raise forms.ValidationError("This is not the name of your account.")
        return name


class TeamForm(forms.Form):
    """A new team."""

    name = forms.CharField(
        max_length=80,
        validators=[require_printable],
        label="Name",
        help_text="At most 80 characters; it cannot be changed later.",
    )


class InvitationForm(forms.Form):
    """Whom to invite to a team."""

    whom = forms.CharField(
        max_length=254,
        label="Username or e-mail address",
        help_text="A user gets a notice, an address an e-mail with a link.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_whom(self) -> str:
        """A user name, or what has an @ and must be an address."""
        whom: str = self.cleaned_data["whom"].strip()
        if "@" in whom:
            validate_email(whom)
        return whom

    @property
    def email(self) -> str:
        """The address that was given, or ""."""
        return self.cleaned_data["whom"] if "@" in self.cleaned_data["whom"] else ""

    @property
    def username(self) -> str:
        """The user name that was given, or ""."""
        return "" if self.email else self.cleaned_data["whom"]


class BoardView(StrEnum):
    """What is shown of the board."""

    ACCURACY = "accuracy"
    DATABASES = "databases"
    DIFFICULTY = "difficulty"
    MODELS = "models"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuery:
    """Which board an address asks for; `sort` is as it was written, for each table has its own."""

    release: str
    view: BoardView
    database: str
    difficulty: str
    sort: str
    page: int


class BoardForm(forms.Form):
    """The query string of the board; what cannot be read is as if it were not there."""

    release = forms.CharField(max_length=LONGEST_LABEL, required=False)
    view = forms.ChoiceField(choices=[(view.value, view.value) for view in BoardView], required=False)
    database = forms.CharField(max_length=LONGEST_NAME, required=False)
    difficulty = forms.CharField(max_length=LONGEST_NAME, required=False)
    sort = forms.CharField(max_length=LONGEST_NAME + len(f"-{CELL_MARK}"), required=False)
    page = forms.IntegerField(min_value=1, max_value=100_000, required=False)

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> BoardQuery:
        """The board that is asked for."""
        fields = _readable(cls(query))
        return BoardQuery(
            release=fields.get("release") or "",
            view=BoardView(fields.get("view") or BoardView.ACCURACY),
            database=fields.get("database") or "",
            difficulty=fields.get("difficulty") or "",
            sort=fields.get("sort") or "",
            page=fields.get("page") or 1,
        )


class ItemsForm(forms.Form):
    """The filters over the items of a submission."""

    condition = forms.ChoiceField(choices=[("", "Both"), *CONDITIONS], required=False, label="Condition")
    outcome = forms.ChoiceField(choices=[("", "All"), *OUTCOMES], required=False, label="Outcome")
    database = forms.ChoiceField(required=False, label="Database")
    page = forms.IntegerField(min_value=1, max_value=100_000, required=False, widget=forms.HiddenInput)

    def __init__(self, query: Mapping[str, Any], *, databases: tuple[str, ...]) -> None:
        super().__init__(query)
        database = cast(forms.ChoiceField, self.fields["database"])
        database.choices = [("", "All"), *((name, name) for name in databases)]

    def wanted(self) -> ItemFilter:
        """The items that are asked for."""
        fields = _readable(self)
        return ItemFilter(
            condition=Condition(fields["condition"]) if fields.get("condition") else None,
            outcome=Outcome(fields["outcome"]) if fields.get("outcome") else None,
            database=fields.get("database") or "",
        )

    def page_wanted(self) -> int:
        """The page that is asked for."""
        return _readable(self).get("page") or 1


def _readable(form: forms.Form) -> dict[str, Any]:
    form.is_valid()
    return form.cleaned_data


def page_number(query: Mapping[str, Any]) -> int:
    """The page of a plain list that an address asks for."""
    return BoardForm.read(query).page
