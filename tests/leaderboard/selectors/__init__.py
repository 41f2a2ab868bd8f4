"""Tests of leaderboard.selectors."""
