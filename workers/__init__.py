"""Celery: the tasks that evaluate runs, and their schedule."""
