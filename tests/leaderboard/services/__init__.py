"""Tests of leaderboard.services."""
