"""The headline metrics, one a module."""
