"""Tests of the commands of manage.py."""
