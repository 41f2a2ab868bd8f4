"""Who comes to the site in tests: Ann owns a submission, Bob is a stranger with an account, Sam is staff."""

import pytest
from django.contrib.auth.models import User

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.leaderboard.selectors.records import finish, make_release, make_submission


@pytest.fixture
def ann(db: None) -> User:
    """The owner."""
    return User.objects.create_user("ann")


@pytest.fixture
def bob(db: None) -> User:
    """A stranger with an account."""
    return User.objects.create_user("bob")


@pytest.fixture
def sam(db: None) -> User:
    """Staff, with every right in the admin."""
    return User.objects.create_superuser("sam")


@pytest.fixture
def release(db: None) -> Release:
    """A live release of 3 databases with 12 items and one set aside."""
    return make_release()


@pytest.fixture
def queued(ann: User, release: Release) -> Submission:
    """Ann's submission, still waiting."""
    return make_submission(ann, release, entry="Waiting model")


@pytest.fixture
def scored(ann: User, release: Release) -> Submission:
    """Ann's submission, scored and ranked in both conditions."""
    submission = make_submission(ann, release, entry="Scored model")
    finish(submission)
    return submission
