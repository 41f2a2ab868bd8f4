"""Tests of leaderboard."""
