"""Tests of the SQL compiler and the rewriting of evidence."""
