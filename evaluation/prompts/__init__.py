"""Prompts: what a model is told about a database and asked to answer, in versioned wordings."""
