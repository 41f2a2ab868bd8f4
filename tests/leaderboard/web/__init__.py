"""Tests of leaderboard.web."""
