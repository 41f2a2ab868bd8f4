"""The endpoints, one subject a module."""
