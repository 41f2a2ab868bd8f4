"""Addresses of sign-up, login and account: django-allauth's pages, those of them that the site has."""

from typing import Any, Final

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.web.account import account_delete_page, account_export_file, account_page


class UserKeyConverter(StringConverter):
    """The user in the link that sets a new password: no hyphen, which parts it from the key."""

    regex = "[0-9A-Za-z]+"


register_converter(UserKeyConverter, "userkey")


def form_page(view: Any) -> Any:
    """A page with a form: shown and sent, in no cache."""
    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(view))


def plain_page(view: Any) -> Any:
    """A page that is only shown, in no cache."""
    return never_cache(require_safe(view))


RESET: Final = "account/password/reset/"

urlpatterns = [
    path("signup/", form_page(account.signup), name="account_signup"),
    path("login/", form_page(account.login), name="account_login"),
    path("login/two-step/", form_page(mfa.authenticate), name="mfa_authenticate"),
    path("logout/", require_POST(account.logout), name="account_logout"),
    path("account/", account_page, name="account"),
    path("account/export/", account_export_file, name="account_export"),
    path("account/delete/", account_delete_page, name="account_delete"),
    path("account/inactive/", plain_page(account.account_inactive), name="account_inactive"),
    path("account/again/", form_page(account.reauthenticate), name="account_reauthenticate"),
    path("account/email/", form_page(account.email), name="account_email"),
    path("account/email/sent/", plain_page(account.email_verification_sent), name="account_email_verification_sent"),
    path("account/email/verify/<str:key>/", form_page(account.confirm_email), name="account_confirm_email"),
    path("account/password/", form_page(account.password_change), name="account_change_password"),
    path("account/password/first/", form_page(account.password_set), name="account_set_password"),
    path(RESET, form_page(account.password_reset), name="account_reset_password"),
    path(f"{RESET}sent/", plain_page(account.password_reset_done), name="account_reset_password_done"),
    path(
        f"{RESET}done/",
        plain_page(account.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path(
        f"{RESET}<userkey:uidb36>-<str:key>/",
        form_page(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path("account/two-step/", plain_page(mfa.index), name="mfa_index"),
    path("account/two-step/again/", form_page(mfa.reauthenticate), name="mfa_reauthenticate"),
    path("account/two-step/app/", form_page(totp.activate_totp), name="mfa_activate_totp"),
    path("account/two-step/app/remove/", form_page(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("account/two-step/codes/", plain_page(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("account/two-step/codes/new/", form_page(codes.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("account/two-step/codes/file/", plain_page(codes.download_recovery_codes), name="mfa_download_recovery_codes"),
]
