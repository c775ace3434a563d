"""What calls raise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class WaybillError(Exception):
    """Every error of this client."""


class ConnectionError(WaybillError):
    """No answer came: the connection failed, or the time was over."""

    def __init__(
        self, message: str, *, may_have_been_sent: bool, idempotency_key: str | None
    ) -> None:
        super().__init__(message)
        #: Look into `list_messages` before you send it again under another key.
        self.may_have_been_sent = may_have_been_sent
        #: Under it the same request can be made again safely.
        self.idempotency_key = idempotency_key


class TimeoutError(ConnectionError):
    """No answer came in time."""


def code_in(body: Any) -> str | None:
    code = body.get("code") if isinstance(body, dict) else None
    return code if isinstance(code, str) else None


def is_cap(body: Any) -> bool:
    """Whether a 429 is that of a sending cap."""
    return isinstance(body, dict) and "limit" in body


def _problems_of(field: str, texts: list[str]) -> str:
    # A problem inside a field has its whole path already.
    inside = (f"{field}.", f"{field}[")
    return "; ".join(text if text.startswith(inside) else f"{field}: {text}" for text in texts)


def _text_of(status: int, body: Any) -> str:
    said = body if isinstance(body, dict) else {}
    error, details = said.get("error"), said.get("details")
    if isinstance(error, str):
        text = error
    else:
        found = error if isinstance(error, dict) else {}
        fields = [_problems_of(*entry) for entry in found.get("fieldErrors", {}).items()]
        text = "; ".join([*found.get("formErrors", []), *fields])
        text = text or f"The service answered {status}"
    # What a refusal of the provider means, then what to do with the send.
    meaning = details.get("hint") if isinstance(details, dict) else None
    for hint in (meaning, said.get("hint")):
        if isinstance(hint, str):
            # The texts of the service are sentences, some without their full stop.
            text = f"{text if text.endswith(('.', '!', '?', ':')) else text + '.'} {hint}"
    return text


class ApiError(WaybillError):
    """The service answered with an error."""

    def __init__(
        self, status: int, body: Any, headers: Mapping[str, str], idempotency_key: str | None
    ) -> None:
        super().__init__(_text_of(status, body))
        self.status = status
        #: As the service sent it.
        self.body = body
        #: To branch on; None where the service gives none.
        self.code = code_in(body)
        #: Finds the request in the log of the service.
        self.request_id = headers.get("x-request-id")
        self.idempotency_key = idempotency_key


class ValidationError(ApiError):
    """400: the request does not match its schema."""

    @property
    def field_errors(self) -> dict[str, list[str]]:
        """Texts by field, such as `recipients[3].variables.awbCode`."""
        return self.body["error"]["fieldErrors"]


class AuthenticationError(ApiError):
    """401: the key is missing, wrong, revoked or inactive."""


class InsufficientFundsError(ApiError):
    """402: not enough credits or balance. Nothing was sent or charged."""


class NotFoundError(ApiError):
    """404: the account has no such resource."""


class CapReachedError(ApiError):
    """429 of a sending cap of the account: to wait does not help, except for `perMinute`."""


class RateLimitError(ApiError):
    """429 of the rate limit of the key, after all retries."""


class SendFailedError(ApiError):
    """502: the provider refused the message. The charge was refunded."""

    @property
    def provider_code(self) -> int | None:
        """The provider's code, such as 131026; None where it gave none."""
        return self.body["details"]["providerCode"]


class OutcomeUnknownError(ApiError):
    """504: the provider did not answer. The charge was refunded, and the message may have gone out."""

    may_have_been_sent = True


def _kind_of(status: int, body: Any) -> type[ApiError]:
    code = code_in(body)
    if status == 400 and isinstance(body, dict) and isinstance(body.get("error"), dict):
        return ValidationError
    if status == 401:
        return AuthenticationError
    if status == 402:
        return InsufficientFundsError
    if status == 404:
        return NotFoundError
    if status == 429:
        return CapReachedError if is_cap(body) else RateLimitError
    if code == "SEND_FAILED":
        return SendFailedError
    if code == "OUTCOME_UNKNOWN":
        return OutcomeUnknownError
    return ApiError


def error_of(
    status: int, body: Any, headers: Mapping[str, str], idempotency_key: str | None
) -> ApiError:
    """The error of an answer with a status of 400 or more."""
    return _kind_of(status, body)(status, body, headers, idempotency_key)
