"""Tests of reading and guarding query text."""
