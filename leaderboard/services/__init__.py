"""Changes to the tables, one subject a module."""
