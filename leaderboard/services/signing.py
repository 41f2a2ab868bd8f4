"""Signing of webhook messages by the Standard Webhooks specification, with keys that no table holds."""

import base64
import hashlib
import hmac
import uuid
from collections.abc import Sequence

from django.conf import settings
from django.utils.encoding import force_bytes


def signing_secret(webhook_id: uuid.UUID, *, number: int = 0) -> str:
    """A secret of a webhook, `whsec_…`, derived from the site's key; `number` counts those before it."""
    return "whsec_" + base64.b64encode(_key(webhook_id, number, settings.SECRET_KEY)).decode()


def signatures(webhook_id: uuid.UUID, *, numbers: Sequence[int], message_id: str, timestamp: int, body: bytes) -> str:
    """The header `webhook-signature`: a `v1,…` for each secret that is valid, under each key of the site.

    Args:
        webhook_id: of the webhook.
        numbers: of its secrets.
        message_id: the header `webhook-id`.
        timestamp: the header `webhook-timestamp`, in seconds.
        body: as it is sent.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    site_keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    keys = [_key(webhook_id, number, site_key) for number in numbers for site_key in site_keys]
    return " ".join(f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in keys)


def _key(webhook_id: uuid.UUID, number: int, site_key: str | bytes) -> bytes:
    # The first secret has no number in it: it was made before secrets could be replaced.
    counted = number.to_bytes(4) if number else b""
    return hmac.digest(force_bytes(site_key), b"aptboard webhook " + webhook_id.bytes + counted, hashlib.sha256)
