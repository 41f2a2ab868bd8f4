"""Encryption of the API keys that submitters lend to the site, under keys that can be rotated."""

from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from benchmark_data.errors import InfrastructureError


class UndecryptableError(InfrastructureError):
    """A stored key was encrypted under a key that is no longer in the settings."""


@cache
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    try:
        # Without any key, MultiFernet raises ValueError as well.
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(
            "ENDPOINT_KEYS must hold Fernet keys, the newest first, parted by commas: make one with "
            "`manage.py rotate_endpoint_keys --new`."
        ) from error


def cipher() -> MultiFernet:
    """Encrypts under the first key of the settings, and decrypts under any of them.

    Raises:
        ImproperlyConfigured: there is no key, or one is none.
    """
    return _cipher(tuple(settings.ENDPOINT_KEYS))


def encrypted(text: str) -> bytes:
    """The text, readable only with one of the site's keys."""
    return cipher().encrypt(text.encode())


def decrypted(content: bytes) -> str:
    """The text of `encrypted`; only workers call this.

    Raises:
        UndecryptableError: no key of the settings fits.
    """
    try:
        return cipher().decrypt(bytes(content)).decode()
    except InvalidToken as error:
        raise UndecryptableError("A stored API key cannot be decrypted: its key is gone from ENDPOINT_KEYS.") from error


def rotated(content: bytes) -> bytes:
    """The same secret under the first key of the settings.

    Raises:
        UndecryptableError: no key of the settings fits.
    """
    try:
        return cipher().rotate(bytes(content))
    except InvalidToken as error:
        raise UndecryptableError("A stored API key cannot be decrypted: its key is gone from ENDPOINT_KEYS.") from error
