"""Importers: one module for each foreign benchmark format."""
