"""Tests of benchmark_data."""
