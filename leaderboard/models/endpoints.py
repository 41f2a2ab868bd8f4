"""Which model a submission asks, how, and within which budget; its key lies here encrypted until the runs end."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from leaderboard.models.submissions import Submission


class ModelEndpoint(models.Model):
    """The model that answers the requests of one submission."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="endpoint")
    model = models.CharField(max_length=200)
    address = models.CharField(
        max_length=500, blank=True, help_text="Of an OpenAI-compatible endpoint; empty for a provider in the name."
    )
    key = models.BinaryField(null=True, help_text="Encrypted; null when the runs have ended, or none is needed.")
    template = models.CharField(max_length=40)
    context_tokens = models.PositiveIntegerField(null=True)
    most_completion_tokens = models.PositiveIntegerField(default=4096)
    temperature = models.FloatField(null=True, default=0.0)
    seed = models.BigIntegerField(null=True, default=42)
    reasoning_effort = models.CharField(max_length=20, blank=True)
    concurrency = models.PositiveSmallIntegerField(
        default=8, validators=[MinValueValidator(1), MaxValueValidator(64)], help_text="Calls under way at once."
    )
    per_minute = models.FloatField(null=True, validators=[MinValueValidator(0.1)])
    repairs = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(3)])
    budget_usd = models.DecimalField(null=True, max_digits=14, decimal_places=8)
    budget_tokens = models.PositiveBigIntegerField(null=True)
    price_prompt = models.DecimalField(
        null=True, max_digits=14, decimal_places=8, help_text="US dollars for a million tokens."
    )
    price_completion = models.DecimalField(
        null=True, max_digits=14, decimal_places=8, help_text="US dollars for a million tokens."
    )

    def __str__(self) -> str:
        return f"{self.model} for {self.submission_id}"


class ModelFacts(models.Model):
    """What a submitter says of the model; the site shows it as claimed, never as measured."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="facts")
    provider = models.CharField(max_length=80, blank=True)
    name = models.CharField(max_length=120, blank=True)
    version = models.CharField(max_length=80, blank=True)
    open_weights = models.BooleanField(null=True)
    parameters = models.CharField(max_length=40, blank=True, help_text='Such as "120B, 5B active".')
    license = models.CharField(max_length=80, blank=True)
    links = models.JSONField(default=list, help_text="At most five https addresses.")

    def __str__(self) -> str:
        return f"{self.provider} {self.name}".strip()
