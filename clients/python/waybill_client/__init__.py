"""A client of Waybill: order, shipping, payment and OTP messages over WhatsApp."""

from .client import Billing, Sent
from .errors import (
    ApiError,
    AuthenticationError,
    CapReachedError,
    ConnectionError,
    InsufficientFundsError,
    NotFoundError,
    OutcomeUnknownError,
    RateLimitError,
    SendFailedError,
    TimeoutError,
    ValidationError,
    WaybillError,
)
from .generated import AsyncOperations, EventName, Notification, NotificationBatch, Operations
from .transport import RETRIES, TIMEOUT_SECONDS, Settings
from .webhook import WebhookError, WebhookEvent, verify_webhook


class Waybill(Operations):
    """
    A client of the service for one API key, which can spend the account's credits: keep it on servers.
    `base_url` is the root of the service and ends in `/api`. `timeout_seconds` bounds each wait for
    the network, `max_retries` the attempts after the first one.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = RETRIES,
    ) -> None:
        super().__init__(Settings(api_key, base_url, timeout_seconds, max_retries))


class AsyncWaybill(AsyncOperations):
    """The same for asyncio."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout_seconds: float = TIMEOUT_SECONDS,
        max_retries: int = RETRIES,
    ) -> None:
        super().__init__(Settings(api_key, base_url, timeout_seconds, max_retries))


__all__ = [
    "ApiError",
    "AsyncWaybill",
    "AuthenticationError",
    "Billing",
    "CapReachedError",
    "ConnectionError",
    "EventName",
    "InsufficientFundsError",
    "NotFoundError",
    "Notification",
    "NotificationBatch",
    "OutcomeUnknownError",
    "RateLimitError",
    "SendFailedError",
    "Sent",
    "TimeoutError",
    "ValidationError",
    "Waybill",
    "WaybillError",
    "WebhookError",
    "WebhookEvent",
    "verify_webhook",
]
