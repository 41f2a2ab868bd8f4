"""Answers of the document databases that are kept, so that the same query on the same data is executed once."""

from django.db import models


class Execution(models.Model):
    """What one query returned on one content of a database; never a fault of the engine, never a time-out.

    A row may be deleted at any time: the query is then executed again.
    """

    key = models.CharField(primary_key=True, max_length=64, help_text="evaluation.execution.execution_key")
    content = models.BinaryField(help_text="evaluation.execution.result_pack")
    size = models.PositiveIntegerField(help_text="Bytes of the content.")
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(db_index=True, help_text="Last use, to within an hour; the oldest go first.")

    def __str__(self) -> str:
        return f"execution {self.key[:12]}"
