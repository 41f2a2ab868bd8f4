"""Tests of the embedded document database."""
