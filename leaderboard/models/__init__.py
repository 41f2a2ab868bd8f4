"""The tables, one subject a module."""
