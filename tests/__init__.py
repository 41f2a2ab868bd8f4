"""Tests mirror the packages; attacks, end_to_end and architecture stand apart."""
