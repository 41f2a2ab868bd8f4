"""Tests of the sample benchmark's sources."""
