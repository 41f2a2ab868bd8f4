"""Tests with every real part."""
