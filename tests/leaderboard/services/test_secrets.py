"""Lent API keys are encrypted under keys that can be rotated."""

from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.services.secrets import UndecryptableError, decrypted, encrypted, rotated

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


@given(st.text(max_size=200))
def test_what_was_encrypted_comes_back(text: str) -> None:
    content = encrypted(text)
    assert decrypted(content) == text
    assert len(text) < 8 or text.encode() not in content


def test_rotation_moves_a_secret_to_the_newest_key(settings: Any) -> None:
    settings.ENDPOINT_KEYS = [OLD]
    content = encrypted("secret")
    settings.ENDPOINT_KEYS = [NEW, OLD]
    moved = rotated(content)
    settings.ENDPOINT_KEYS = [NEW]
    assert decrypted(moved) == "secret"
    with pytest.raises(UndecryptableError):
        decrypted(content)
    with pytest.raises(UndecryptableError):
        rotated(content)


@pytest.mark.parametrize("keys", [[], ["short"], [NEW, "x"]])
def test_settings_without_a_proper_key_are_named(settings: Any, keys: list[str]) -> None:
    settings.ENDPOINT_KEYS = keys
    with pytest.raises(ImproperlyConfigured, match="ENDPOINT_KEYS"):
        encrypted("secret")
