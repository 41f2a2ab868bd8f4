"""Tests named after attacks."""
