"""Django-allauth's forms in the site's words: a label for each field, no placeholders, help in plain text."""

from typing import Any, Final

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import password_validators_help_texts
from django.core.validators import RegexValidator
from django.db import IntegrityError
from django.http import HttpRequest

from leaderboard.selectors.accounts import sign_up_of_mailbox
from leaderboard.services.accounts import sign_ups_forget

USERNAME_VALIDATORS: Final = [
    RegexValidator(
        r"\A[A-Za-z0-9][A-Za-z0-9._-]{1,39}\Z",
        "A username has 2 to 40 letters from A to Z, digits, dots, hyphens and underscores, and begins with a letter "
        "or a digit.",
    )
]
"""ASCII, so that no name looks like another; without @, so that no name is somebody's e-mail address."""

LABELS: Final = {
    "login": "Username or e-mail address",
    "password": "Password",
    "remember": "Stay logged in for two weeks on this device",
    "username": "Username",
    "email": "E-mail address",
    "oldpassword": "Present password",
    "code": "Code",
}
NEW_PASSWORDS: Final = {"password1": "New password", "password2": "New password again"}


class Plain(forms.Form):
    """The site's labels and help, and the form without markup of its own."""

    labels: dict[str, str] = LABELS | NEW_PASSWORDS
    helps: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
        if "password1" in self.fields:
            self.fields["password1"].help_text = " ".join(password_validators_help_texts())
        if "code" in self.fields:
            self.fields["code"].widget.attrs["inputmode"] = "numeric"


class LoginForm(Plain, account.LoginForm):
    """Name or address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(Plain, account.SignupForm):
    """A new account; one mailbox has one account, whatever stands behind a plus in its address."""

    account_already_exists: bool
    labels = LABELS | {"password1": "Password", "password2": "Password again"}
    helps = {  # noqa: RUF012
        "username": "Shown to your team only. Letters from A to Z, digits, dots, hyphens and underscores.",
        "email": "We send a link to it, which you have to open. Shown to nobody.",
    }

    def clean_username(self) -> str:
        """Free the names and mailboxes of accounts that are forgotten; this field comes first."""
        sign_ups_forget()
        return str(super().clean_username())

    def validate_unique_email(self, value: str) -> str:
        """Note where the mailbox has an account: the answer is the same, the e-mail is another."""
        email: str = super().validate_unique_email(value)
        self.account_already_exists = self.account_already_exists or sign_up_of_mailbox(email) is not None
        return email

    def try_save(self, request: HttpRequest) -> Any:
        """Make the account, or only send an e-mail where the mailbox has one; both take the same time."""
        if self.account_already_exists:
            # Hashing a password is by far the longest part of making an account.
            User().set_password(self.cleaned_data["password1"])
            return super().try_save(request)
        try:
            return super().try_save(request)
        except IntegrityError:
            # Two sign-ups from one mailbox came at once, and the other one was first.
            if sign_up_of_mailbox(self.cleaned_data["email"]) is None:
                raise
            self.account_already_exists = True
            return super().try_save(request)


class AddEmailForm(Plain, account.AddEmailForm):
    """Another address for an account."""

    helps = {"email": "We send a link to it, which you have to open."}  # noqa: RUF012


class ChangePasswordForm(Plain, account.ChangePasswordForm):
    """The present password, and a new one twice."""


class SetPasswordForm(Plain, account.SetPasswordForm):
    """The first password of an account that has none."""


class ResetPasswordForm(Plain, account.ResetPasswordForm):
    """The address to which a link is sent."""


class ResetPasswordKeyForm(Plain, account.ResetPasswordKeyForm):
    """A new password, twice."""


class ReauthenticateForm(Plain, account.ReauthenticateForm):
    """The password once more."""


class AuthenticateForm(Plain, mfa.AuthenticateForm):
    """The second step of a login."""

    helps = {"code": "Six digits from your authenticator app, or one of your recovery codes."}  # noqa: RUF012


class MfaReauthenticateForm(Plain, mfa.ReauthenticateForm):
    """The second step once more."""

    helps = AuthenticateForm.helps


class ActivateTotpForm(Plain, totp.ActivateTOTPForm):
    """The first code of a new authenticator app."""

    helps = {"code": "Six digits, as the app shows them now."}  # noqa: RUF012
