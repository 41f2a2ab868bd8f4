"""The Django project and its one app: submissions, runs, standings and their pages."""
