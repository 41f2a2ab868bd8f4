"""Tests of `benchmark_data.docmap`."""
