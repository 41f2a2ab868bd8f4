"""Reading of the tables, one page or subject a module."""
