"""The conformance checks, one module a subject."""
