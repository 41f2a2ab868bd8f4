"""Reading of environment variables: typed, with the variable's name in every complaint."""

import base64
import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from evaluation.embedded.home import private_folder

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def text(name: str, *, default: str = "") -> str:
    """The variable's text, or the default where it is not set, or blank, as Docker Compose passes what is not set."""
    value = os.environ.get(name, "")
    return value if value.strip() else default


def flag(name: str, *, default: bool = False) -> bool:
    """The variable as a yes or no.

    Raises:
        ImproperlyConfigured: the text is neither.
    """
    word = text(name).strip().lower()
    if not word:
        return default
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={os.environ[name]!r} is neither yes nor no: write 1 or 0.")


def number(name: str, *, default: int) -> int:
    """The variable as a whole number.

    Raises:
        ImproperlyConfigured: the text is no whole number.
    """
    try:
        return int(text(name, default=str(default)))
    except ValueError:
        raise ImproperlyConfigured(f"{name}={os.environ[name]!r} is not a whole number.") from None


def words(name: str, *, default: str = "") -> list[str]:
    """The variable as a list of words parted by commas."""
    return [word.strip() for word in text(name, default=default).split(",") if word.strip()]


def one_of(name: str, *, allowed: Collection[str], default: str) -> str:
    """The variable as one of a few words.

    Raises:
        ImproperlyConfigured: it is none of them.
    """
    word = os.environ.get(name, default).strip().lower()
    if word not in allowed:
        raise ImproperlyConfigured(f"{name}={os.environ[name]!r} is none of: {', '.join(allowed)}.")
    return word


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseAddress:
    """Where the site's PostgreSQL is."""

    name: str
    user: str
    password: str
    host: str
    port: str

    def as_settings(self) -> dict[str, Any]:
        """The entry for Django's DATABASES."""
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": self.name,
            "USER": self.user,
            "PASSWORD": self.password,
            "HOST": self.host,
            "PORT": self.port,
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": {"connect_timeout": 10},
        }


def database_address(url: str) -> DatabaseAddress:
    """Read `postgresql://user:password@host:port/name`; a socket folder is given as `?host=/folder`.

    Raises:
        ImproperlyConfigured: the address is not one of a PostgreSQL database.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgresql", "postgres"} or len(parts.path) < 2:
        raise ImproperlyConfigured("DATABASE_URL must look like postgresql://user:password@host:5432/name.")
    query = parse_qs(parts.query)
    return DatabaseAddress(
        name=unquote(parts.path[1:]),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        host=query.get("host", [parts.hostname or ""])[0],
        port=str(parts.port or query.get("port", [""])[0]),
    )


def secret_key(*, local: bool, base: Path) -> str:
    """`SECRET_KEY`, or on one's own machine one that is made once and kept in `base`.

    Raises:
        ImproperlyConfigured: production has none, or one that is too short.
    """
    key = os.environ.get("SECRET_KEY", "")
    if not local:
        if len(key) < 50:
            raise ImproperlyConfigured(
                "SECRET_KEY must be set to at least 50 random characters (or APTBOARD_LOCAL=1 on your own machine)."
            )
        return key
    return key or _kept_secret(base / "site" / "secret_key", _random_secret)


def endpoint_keys(*, local: bool, base: Path) -> list[str]:
    """`ENDPOINT_KEYS`, or on one's own machine one that is made once and kept in `base`.

    A production site may have none as long as nobody lends it an API key.
    """
    keys = words("ENDPOINT_KEYS")
    return keys if keys or not local else [_kept_secret(base / "site" / "endpoint_key", _random_fernet_key)]


def _random_secret() -> str:
    from django.core.management.utils import get_random_secret_key  # noqa: PLC0415 (needs no settings, but is slow)

    return get_random_secret_key()


def _random_fernet_key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def _kept_secret(path: Path, made: Callable[[], str]) -> str:
    if not path.exists():
        private_folder(path.parent)
        # Written aside, then linked: of two processes that start at once, one wins and both read a whole key.
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(made())
            file.flush()
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text()
