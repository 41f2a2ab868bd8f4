"""Tests of the site's embedded parts."""
