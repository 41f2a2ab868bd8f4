"""The embedded document database's two users, with passwords made at the first start."""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

READER_ROLES = ("readAnyDatabase",)
LOADER_ROLES = ("readWriteAnyDatabase", "dbAdminAnyDatabase")


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A user of the document database: its roles are those of MongoDB, bound to `admin`."""

    name: str
    password: str
    roles: tuple[str, ...]

    def url(self, *, host: str, port: int) -> str:
        """The connection string as this user."""
        return (
            f"mongodb://{quote(self.name, safe='')}:{quote(self.password, safe='')}@{host}:{port}/"
            "?directConnection=true&authSource=admin&authMechanism=SCRAM-SHA-256"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The find-only user that workers know, and the loader that writes benchmark databases."""

    reader: User
    loader: User


def provided_credentials(path: Path) -> Credentials:
    """Read the users from `path`; made there, readable by this user only, if the file does not exist."""
    try:
        users = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        users = [
            {"name": "aptboard_reader", "password": secrets.token_urlsafe(24), "roles": READER_ROLES},
            {"name": "aptboard_loader", "password": secrets.token_urlsafe(24), "roles": LOADER_ROLES},
        ]
        _write_private(path, json.dumps(users, indent=1))
    reader, loader = (User(name=user["name"], password=user["password"], roles=tuple(user["roles"])) for user in users)
    return Credentials(reader=reader, loader=loader)


def _write_private(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
    fresh.replace(path)
