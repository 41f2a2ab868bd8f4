"""Tests of evaluation.prompts."""
