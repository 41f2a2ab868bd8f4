"""A bundle becomes a release once, and only if the site can hold its texts."""

from dataclasses import replace

import pytest

from leaderboard.models.releases import Release
from leaderboard.services.releases import UnregistrableBundleError, release_register, storages_in_use
from tests.leaderboard.builders import bundle

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_texts_that_are_too_long_for_the_site_are_all_named_and_nothing_is_stored() -> None:
    small = bundle()
    items = (replace(small.items[0], question_id="q" * 150, line=1), *small.items[1:])
    long = replace(small, title="t" * 300, version="1" * 40, items=items)
    with pytest.raises(UnregistrableBundleError) as caught:
        release_register(long)
    assert str(caught.value).splitlines() == [
        "the bundle: version: the site takes at most 32 characters, this has 40.",
        "the bundle: title: the site takes at most 200 characters, this has 300.",
        "items.jsonl:1: question_id: the site takes at most 128 characters, this has 150.",
    ]
    assert not Release.objects.exists()


def test_storages_in_use_are_those_that_releases_name() -> None:
    small = bundle()
    release_register(small)
    names = [database.storage_name for database in small.databases]
    assert storages_in_use([*names, "other"]) == dict.fromkeys(names, "small@1")
