"""What django-allauth asks of the site: who may sign up, what a login needs, and how e-mails are written and sent."""

import logging
import smtplib
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core import context as current
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse

from leaderboard.selectors.accounts import longest_window, sign_up_of_mailbox
from leaderboard.services.account_deletion import DELETED
from leaderboard.services.account_secrets import secret_decrypted, secret_encrypted
from leaderboard.services.accounts import sign_up_record

logger = logging.getLogger(__name__)

WRONG_LOGIN: Final = "No account has this name or address with this password."
"""One sentence, whatever is wrong: it tells nobody which names and addresses have accounts."""

WRONG_CODE: Final = "This code is not right, or it is too old. The app shows a new one every 30 seconds."


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up, login and e-mails in the site's own way."""

    error_messages = {  # noqa: RUF012 (as allauth declares it)
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": WRONG_LOGIN,
        "email_password_mismatch": WRONG_LOGIN,
        "too_many_login_attempts": "Too many failed attempts: wait five minutes, or reset the password.",
        "username_taken": "This username is taken.",
        "username_blacklisted": "This username cannot be taken.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your present password.",
        "duplicate_email": "This address belongs to your account already.",
        "max_email_addresses": "An account has at most %d addresses.",
        "incorrect_code": WRONG_CODE,
    }

    def is_ajax(self, request: HttpRequest) -> bool:
        """Pages only: programs have the REST API, with tokens."""
        return False

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether visitors may make accounts."""
        return bool(settings.SIGNUP_OPEN)

    def get_login_stages(self) -> list[str]:
        """Allauth's stages, with our own look at the e-mail address."""
        ours = {"allauth.account.stages.EmailVerificationStage": f"{__name__}.{VouchedStage.__name__}"}
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse names that deleted accounts have.

        Raises:
            ValidationError: the name is taken, or cannot be.
        """
        if username.lower().startswith(DELETED):
            raise ValidationError("This username cannot be taken.")
        return str(super().clean_username(username, shallow=shallow))

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        """Store the user and the note that the user signed up, both or none."""
        with transaction.atomic():
            saved: User = super().save_user(request, user, form, commit=commit)
            sign_up_record(saved, email=form.cleaned_data["email"])
        return saved

    def can_delete_email(self, email_address: Any) -> bool:
        """Not the last verified address: without one, the account could not submit, nor its password be reset."""
        others = EmailAddress.objects.filter(user_id=email_address.user_id, verified=True).exclude(pk=email_address.pk)
        return bool(super().can_delete_email(email_address)) and (not email_address.verified or others.exists())

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link in an e-mail, on the site's own address whatever host the request named."""
        return settings.SITE_URL + reverse("account_confirm_email", args=[emailconfirmation.key])

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link that sets a new password, on the site's own address whatever host the request named."""
        uid, _, token = key.partition("-")
        return settings.SITE_URL + reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Where a changed password leads."""
        return reverse("account")

    def send_account_already_exists_mail(self, email: str) -> None:
        """Tell the reader of a mailbox that has an account, or had one until lately, that somebody tried to sign up."""
        sign_up = sign_up_of_mailbox(email)
        closed_at = sign_up.closed_at if sign_up is not None else None
        until = None if closed_at is None else closed_at + longest_window()
        self.send_mail("account/email/account_already_exists", email, {"free_from": until})

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one plain text e-mail; where the mail server fails, the page says so to everybody alike."""
        request = current.request
        told = {"email": email, "site_url": settings.SITE_URL, "request": request, **context}
        message = self.render_mail(template_prefix, email, told, headers={"Auto-Submitted": "auto-generated"})
        try:
            message.send()
        except (smtplib.SMTPException, OSError) as error:
            logger.warning("%s could not be mailed: %s", template_prefix, type(error).__name__)
            if request is not None:
                messages.error(request, "Our mail server did not take the e-mail. Please try again in a few minutes.")


class VouchedStage(EmailVerificationStage):
    """The look at the e-mail address: accounts that the organisers made need none."""

    def handle(self) -> Any:
        """Ask who signed up for a verified address, and let others pass."""
        user = self.login.user
        if user is not None and not hasattr(user, "sign_up"):
            return None, True
        return super().handle()


class MfaAdapter(DefaultMFAAdapter):
    """Two-step login in the site's own way: its secrets are stored encrypted."""

    error_messages = {  # noqa: RUF012
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": WRONG_CODE,
        "unverified_email": "First verify or remove the e-mail address of your account that is not verified.",
        "add_email_blocked": "While two-step login is on, no address can be added: switch it off, add and verify the "
        "address, and switch it on again.",
    }

    def get_totp_label(self, user: User) -> str:
        """What the authenticator app calls the account."""
        return user.get_username()

    def encrypt(self, text: str) -> str:
        """A secret as it is stored."""
        return secret_encrypted(text)

    def decrypt(self, encrypted_text: str) -> str:
        """A stored secret."""
        return secret_decrypted(encrypted_text)
