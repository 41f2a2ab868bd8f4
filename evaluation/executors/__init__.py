"""The only place that touches a database driver."""
