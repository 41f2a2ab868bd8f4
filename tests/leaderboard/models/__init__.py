"""Tests of leaderboard.models."""
