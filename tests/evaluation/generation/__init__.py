"""Tests of evaluation.generation."""
