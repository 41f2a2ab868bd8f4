"""What pages ask of accounts."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def signup_open() -> bool:
    """Whether visitors may make accounts."""
    return bool(settings.SIGNUP_OPEN)
