"""The app's registration with Django."""

import pkgutil
from importlib import import_module

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """The one app of the site."""

    name = "leaderboard"
    verbose_name = "AptBoard"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Import every module of `leaderboard.models`, whose `__init__` imports none (it would hide import cycles)."""
        super().import_models()
        package = import_module("leaderboard.models")
        for module in pkgutil.iter_modules(package.__path__, prefix="leaderboard.models."):
            import_module(module.name)
