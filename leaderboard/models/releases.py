"""Benchmark releases: what is measured, as the site knows it."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q

from benchmark_data.types import ArrayOrder, Difficulty, Split

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Release(models.Model):
    """One version of one benchmark; scores belong to its digest."""

    name = models.SlugField(max_length=64)
    version = models.CharField(max_length=32)
    title = models.CharField(max_length=200)
    license = models.CharField(max_length=200)
    citation = models.TextField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    imported_at = models.DateTimeField(auto_now_add=True)
    live_at = models.DateTimeField(null=True, blank=True, help_text="When its gold was proved and submissions opened.")

    if TYPE_CHECKING:
        databases: RelatedManager["ReleaseDatabase"]
        items: RelatedManager["ReleaseItem"]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="release_name_version")]
        ordering = ["-live_at", "-imported_at"]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class ReleaseDatabase(models.Model):
    """One document database of a release, and where its documents are on the server."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="databases")
    db_id = models.CharField(max_length=128)
    digest = models.CharField(max_length=64)
    storage_name = models.CharField(max_length=63)
    collections = models.JSONField(help_text="Names of the collections, with their numbers of documents.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "db_id"], name="release_db_id")]
        ordering = ["db_id"]

    def __str__(self) -> str:
        return self.db_id


class ReleaseItem(models.Model):
    """One request of a release. `gold_query` and `sql` of hidden items never leave the site."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="items")
    database = models.ForeignKey(ReleaseDatabase, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    question_id = models.CharField(max_length=128)
    question = models.TextField()
    evidence = models.TextField(blank=True)
    difficulty = models.CharField(max_length=16, choices=[(d.value, d.value) for d in Difficulty])
    split = models.CharField(max_length=16, choices=[(s.value, s.value) for s in Split])
    array_order = models.CharField(max_length=16, choices=[(o.value, o.value) for o in ArrayOrder])
    gold_query = models.TextField()
    sql = models.TextField(blank=True)
    set_aside = models.CharField(
        max_length=500,
        blank=True,
        help_text="Why the organisers took the item out of the track: it is named, unscored, and counts nowhere.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "question_id"], name="release_question_id")]
        ordering = ["position"]

    def __str__(self) -> str:
        return self.question_id


class GoldAnswer(models.Model):
    """The answer of an item's gold query on one engine, kept so that it is computed once."""

    item = models.ForeignKey(ReleaseItem, on_delete=models.CASCADE, related_name="gold_answers")
    engine = models.CharField(max_length=100, help_text="Name and version of the engine that answered.")
    content = models.BinaryField(null=True, help_text="zlib-compressed BSON of the answer; null where gold failed.")
    failure = models.CharField(max_length=500, blank=True)
    milliseconds = models.FloatField()
    computed_at = models.DateTimeField(auto_now=True)
    failures = models.PositiveSmallIntegerField(default=0, help_text="How often it failed in a row.")
    retry_at = models.DateTimeField(null=True, help_text="When a failed gold is to be computed again.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "engine"], name="gold_answer_item_engine"),
            models.CheckConstraint(
                condition=Q(content__isnull=False, failure="") | (Q(content__isnull=True) & ~Q(failure="")),
                name="gold_answer_or_failure",
            ),
        ]

    def __str__(self) -> str:
        return f"gold of {self.item_id} on {self.engine}"
