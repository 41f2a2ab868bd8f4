"""The users of the embedded document database."""

import stat
from pathlib import Path

from pymongo.uri_parser import parse_uri

from evaluation.embedded.credentials import User, provided_credentials


def test_passwords_are_made_once_and_readable_by_their_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "users.json"

    first = provided_credentials(file)

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert provided_credentials(file) == first
    assert first.reader.password != first.loader.password
    assert len(first.reader.password) >= 24
    assert provided_credentials(tmp_path / "others.json") != first


def test_the_reader_has_no_role_that_writes(tmp_path: Path) -> None:
    assert provided_credentials(tmp_path / "users.json").reader.roles == ("readAnyDatabase",)


def test_a_url_holds_any_password(tmp_path: Path) -> None:
    user = User(name="a user", password="p@ss:/?#%", roles=())

    parsed = parse_uri(user.url(host="127.0.0.1", port=5))

    assert (parsed["username"], parsed["password"], parsed["nodelist"]) == ("a user", "p@ss:/?#%", [("127.0.0.1", 5)])
