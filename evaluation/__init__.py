"""Scoring of predicted MongoDB queries: usable on a laptop, without the site."""
