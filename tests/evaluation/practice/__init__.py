"""Tests of evaluation.practice."""
