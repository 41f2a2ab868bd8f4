"""The people and records that tests of the site share."""

from tests.leaderboard.selectors.people import ann, bob, queued, release, sam, scored

__all__ = ["ann", "bob", "queued", "release", "sam", "scored"]
