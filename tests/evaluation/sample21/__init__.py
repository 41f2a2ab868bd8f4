"""Tests of what proves and measures the sample benchmark."""
