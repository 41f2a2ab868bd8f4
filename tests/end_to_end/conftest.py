"""One site for all end-to-end tests of a worker process."""

from collections.abc import Iterator

import pytest

from tests.end_to_end.site import ROOT, Site, running_site

TINY = ROOT / "benchmark_data" / "bundles" / "tiny"
TINY_RELEASE = "tiny@1"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A running site that has the tiny benchmark; its home has a space in its path."""
    told = {
        "APTBOARD_CALL_LOOPBACK": "1",
        "APTBOARD_RESUME_SECONDS": "1",
        "APTBOARD_CHORES_SECONDS": "1",
        "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
        "EMAIL_FILE_PATH": str(tmp_path_factory.mktemp("mail")),
    }
    with running_site(tmp_path_factory.mktemp("a home") / "local", **told) as running:
        running.manage("import_bundle", TINY)
        yield running
