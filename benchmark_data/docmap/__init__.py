"""Declarative maps from a relational database to documents: read, check, migrate, prove, scale."""
