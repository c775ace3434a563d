"""Signatures after Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from .errors import WaybillError

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


class WebhookError(WaybillError):
    """A webhook whose signature is not that of the service, or whose time is not now."""


class WebhookEvent(TypedDict):
    """The event that a webhook brings."""

    #: The same when it is delivered again.
    id: str
    type: str
    timestamp: str
    accountId: str
    data: dict[str, Any]


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        key = b""
    # Under an empty secret anybody could sign.
    if not key:
        raise WebhookError("The secret of a webhook is `whsec_` and base64")
    return key


def _is_signed(secrets: Sequence[str], header: str, signed: bytes) -> bool:
    given = [one.removeprefix("v1,").encode() for one in header.split(" ") if one.startswith("v1,")]
    for secret in secrets:
        right = base64.b64encode(hmac.digest(_key_of(secret), signed, hashlib.sha256))
        if any(hmac.compare_digest(right, one) for one in given):
            return True
    return False


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event of a webhook that is signed by the service and of now. Raises a WebhookError for any
    other: answer it with a 400. `body` are the bytes as they came, before any JSON parser. `secret`
    is `whsec_…`; after a rotation both, while the old one still signs. `now` is in seconds since 1970.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id_, timestamp, signature = (
        given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")
    )
    if not id_ or not timestamp or not signature:
        raise WebhookError("webhook-id, webhook-timestamp and webhook-signature are needed")
    is_time = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    at = time.time() if now is None else now
    if not is_time or abs(at - int(timestamp)) > tolerance_seconds:
        raise WebhookError("The time of the webhook is too far from now: it may be a replayed one")
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else secret
    if not _is_signed(secrets, signature, f"{id_}.{timestamp}.".encode() + raw):
        raise WebhookError("The signature is not that of the body under this secret")
    return {**json.loads(raw), "id": id_}
