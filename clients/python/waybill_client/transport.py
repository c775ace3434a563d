"""One call, with its retries."""

from __future__ import annotations

import builtins
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import ConnectionError, TimeoutError, WaybillError, error_of
from .retry import Outcome, delay_seconds, verdict_on

#: A batch keeps to the rate of the number and takes up to 120 s; a file may take 5 minutes.
TIMEOUT_SECONDS = 60.0
BATCH_SECONDS = 180.0
FILE_SECONDS = 360.0
RETRIES = 4
#: A send that the provider refused is tried once more: each attempt is a charge of its own.
FRESH_KEYS_MAX = 1
#: What the service takes as a key.
_KEY = re.compile(r"[ -~]{1,255}")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """A redirect would take the key elsewhere."""


_OPENER = urllib.request.build_opener(_NoRedirect)


@dataclass(frozen=True)
class Call:
    """What is asked."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    #: None: no body.
    json: Any = None
    #: Bytes, whole or one part after the other, and their content type, in the place of JSON.
    form: tuple[Any, str] | None = None
    #: A POST under an `Idempotency-Key`.
    is_keyed: bool = False
    #: Such a POST that sends.
    is_send: bool = False
    #: The answer is a file.
    is_file: bool = False
    #: The answer is text, not JSON.
    is_text: bool = False
    #: The answer goes on: its body is the open response, which the caller closes.
    is_stream: bool = False
    timeout_seconds: float | None = None


@dataclass(frozen=True)
class Answered:
    """An answer below 400. Names of headers are in lower case."""

    headers: Mapping[str, str]
    body: Any
    idempotency_key: str | None


@dataclass(frozen=True)
class Settings:
    api_key: str
    base_url: str
    timeout_seconds: float = TIMEOUT_SECONDS
    max_retries: int = RETRIES
    #: For tests: opens a request of urllib.
    opener: Callable[[urllib.request.Request, float], Any] = lambda request, timeout: _OPENER.open(
        request, timeout=timeout
    )
    random: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if not self.api_key or not self.api_key.isascii() or not self.api_key.isprintable():
            raise WaybillError("api_key is needed, such as wb_live_…, on one line")
        if not self.base_url.startswith(("http://", "https://")):
            raise WaybillError("base_url is needed, such as https://waybill.example/api")


@dataclass(frozen=True)
class Options:
    """How one call is made; None: as the client says."""

    idempotency_key: str | None = None
    timeout_seconds: float | None = None
    max_retries: int | None = None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _request_of(settings: Settings, call: Call, key: str | None) -> urllib.request.Request:
    given = {name: _text(value) for name, value in call.query.items() if value is not None}
    search = f"?{urllib.parse.urlencode(given)}" if given else ""
    headers = {"Accept": "application/json", "Authorization": f"Bearer {settings.api_key}"}
    data = None
    if call.form is not None:
        data, headers["Content-Type"] = call.form
        headers["Content-Length"] = str(len(data))
    elif call.json is not None:
        data, headers["Content-Type"] = json.dumps(call.json).encode(), "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    url = f"{settings.base_url.rstrip('/')}{call.path}{search}"
    return urllib.request.Request(url, data=data, headers=headers, method=call.method)


def _json_in(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        # A proxy on the way has answered.
        return {"error": raw[:500].decode("utf-8", "replace")}


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _seconds_in(headers: Mapping[str, str], name: str) -> float | None:
    try:
        seconds = float(headers.get(name, ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


@dataclass(frozen=True)
class _Refused:
    status: int
    headers: Mapping[str, str]
    body: Any

    def outcome(self) -> Outcome:
        return Outcome(
            self.status,
            self.body,
            _seconds_in(self.headers, "retry-after"),
            _seconds_in(self.headers, "ratelimit-reset"),
        )


def _attempt(
    settings: Settings, call: Call, key: str | None, timeout: float
) -> Answered | _Refused | Exception:
    # Outside the try: what cannot be asked at all is no lost answer.
    asked = _request_of(settings, call, key)
    try:
        try:
            response = settings.opener(asked, timeout)
            if call.is_stream:
                return Answered(_lower(response.headers), response, key)
            with response:
                raw = response.read()
                # Here, so that an answer that breaks off is asked for again.
                body = raw if call.is_file else raw.decode() if call.is_text else json.loads(raw)
                return Answered(_lower(response.headers), body, key)
        except urllib.error.HTTPError as refused:
            with refused:
                return _Refused(refused.code, _lower(refused.headers), _json_in(refused.read()))
    except (OSError, ValueError, http.client.HTTPException) as failed:
        return failed


def _error_in(
    settings: Settings, call: Call, made: _Refused | Exception, key: str | None
) -> WaybillError:
    if isinstance(made, _Refused):
        return error_of(made.status, made.body, made.headers, key)
    cause = made.reason if isinstance(made, urllib.error.URLError) else made
    what = f"{call.method} {call.path}: no answer from {urllib.parse.urlsplit(settings.base_url).netloc}"
    is_late = isinstance(cause, builtins.TimeoutError)
    kind, why = (TimeoutError, " in time") if is_late else (ConnectionError, f": {cause}")
    error = kind(f"{what}{why}", may_have_been_sent=call.is_send, idempotency_key=key)
    error.__cause__ = made
    return error


def request(settings: Settings, call: Call, options: Options) -> Answered:
    """
    Makes a call, and makes it again after the retry table of the service. Raises an ApiError for a
    refusal, and a ConnectionError without an answer.
    """
    max_retries = settings.max_retries if options.max_retries is None else options.max_retries
    timeout = options.timeout_seconds or call.timeout_seconds or settings.timeout_seconds
    is_keyed = call.is_keyed or call.is_send
    is_repeatable = is_keyed or call.method == "GET"
    key = options.idempotency_key
    if key is not None and not _KEY.fullmatch(key):
        raise WaybillError("idempotency_key must be 1 to 255 printable ASCII characters")
    if is_keyed and key is None:
        key = str(uuid.uuid4())
    fresh_keys = 0
    retries = 0
    while True:
        made = _attempt(settings, call, key, timeout)
        if isinstance(made, Answered):
            return made
        outcome = made.outcome() if isinstance(made, _Refused) else None
        again = verdict_on(outcome, is_repeatable=is_repeatable, is_send=call.is_send)
        if again is None or retries >= max_retries:
            raise _error_in(settings, call, made, key)
        if again.fresh_key:
            # A key of the caller's own stands for one purpose: what was refused under it stays refused.
            if options.idempotency_key is not None or fresh_keys >= FRESH_KEYS_MAX:
                raise _error_in(settings, call, made, key)
            fresh_keys += 1
            key = str(uuid.uuid4())
        wait = again.after_seconds
        settings.sleep(delay_seconds(retries, settings.random()) if wait is None else wait)
        retries += 1
