"""Query text to Query: reads any text that has one clear read-only query in it."""
