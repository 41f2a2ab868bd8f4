"""What prompts may say of a release's databases: cards, indexes and the makers' words, kept at the import."""

from django.db import models

from leaderboard.models.releases import ReleaseDatabase


class DatabaseDescription(models.Model):
    """The description of one database; it holds no document and nothing of any item."""

    database = models.OneToOneField(ReleaseDatabase, on_delete=models.CASCADE, related_name="description")
    content = models.JSONField(help_text="leaderboard.selectors.descriptions reads it.")

    def __str__(self) -> str:
        return f"description of {self.database_id}"
