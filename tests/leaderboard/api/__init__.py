"""Tests of leaderboard.api."""
