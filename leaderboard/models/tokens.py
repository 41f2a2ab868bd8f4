"""Tokens of the REST API: shown once, kept as a hash."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class TokenScope(models.TextChoices):
    """What a token may be used for; what is public needs none of them."""

    SUBMIT = "submit", "Submit: send, check and cancel submissions"
    READ = "read", "Read: what only you may see of your submissions, and your quota"


def every_scope() -> list[str]:
    """All of them, in the order in which they are shown."""
    return [scope.value for scope in TokenScope]


class ApiToken(models.Model):
    """A token that acts for its owner; `digest` is the SHA-256 of the secret, which has 256 random bits."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=16, help_text="The first characters, to tell tokens apart.")
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=16, choices=TokenScope.choices), default=every_scope)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"
