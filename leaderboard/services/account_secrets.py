"""Encryption of the secrets of two-step logins, under a key that is derived from the site's own."""

import base64
import hashlib
import hmac
from functools import cache
from typing import Final

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import transaction

PURPOSE: Final = b"aptboard.two-step-login"
SECRETS: Final = ("secret", "seed")
"""Members of an authenticator's data that are stored encrypted: of apps, and of recovery codes."""


@cache
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    digests = (hmac.digest(key.encode(), PURPOSE, hashlib.sha256) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def cipher() -> MultiFernet:
    """Encrypts under `SECRET_KEY`, and decrypts under it or one of `SECRET_KEY_FALLBACKS`."""
    return _cipher((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


def secret_encrypted(text: str) -> str:
    """The text, readable only with one of the site's keys."""
    return cipher().encrypt(text.encode()).decode("ascii")


def secret_decrypted(text: str) -> str:
    """The text of `secret_encrypted`.

    Raises:
        InvalidToken: it was encrypted under a key that is no longer in the settings.
    """
    return cipher().decrypt(text.encode("ascii")).decode()


@transaction.atomic
def secrets_rotate() -> int:
    """Encrypt the secrets of all two-step logins anew under `SECRET_KEY`; gives the number of them.

    Raises:
        InvalidToken: one of them fits no key of the settings; nothing is changed.
    """
    rows = list(Authenticator.objects.select_for_update())
    for row in rows:
        row.data |= {name: secret_encrypted(secret_decrypted(row.data[name])) for name in SECRETS if name in row.data}
    Authenticator.objects.bulk_update(rows, ["data"])
    return len(rows)
