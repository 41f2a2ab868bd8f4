"""Telling who logs in by name or address and password, at the same cost whether there is such an account or not."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.contrib.auth.models import User
from django.http import HttpRequest


class NameOrAddressBackend(AuthenticationBackend):
    """Django-allauth's backend, which hashes the password twice for an address that has an account and once otherwise:
    the time of an answer would tell which addresses have one."""

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        login, password = credentials.get("username") or credentials.get("email") or "", credentials["password"]
        named = get_user_by_username(login)
        candidates = [named] if named else filter_users_by_email(login, prefer_verified=True, for_login=True)
        for user in candidates:
            if self._check_password(user, password):
                return user  # type: ignore[no-any-return]
        return None
