"""Starts Django in a process of a site of its own, and runs the `main` of the module that the command line names."""

import importlib
import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    django.setup()
    importlib.import_module(sys.argv[1]).main(*sys.argv[2:])
