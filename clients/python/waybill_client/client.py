"""The client, and the same for asyncio."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.parse
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Generic, NotRequired, TypedDict, TypeVar

from .transport import FILE_SECONDS, Answered, Call, Options, Settings, request

Page = TypeVar("Page", bound=Mapping[str, Any])
Row = TypeVar("Row")
_Form = tuple[bytes, bytes, str]

#: Of a file that is sent.
_BLOCK_BYTES = 64 * 1024
#: In these a job stays until somebody does something.
_RESTING = {"unusable", "ready", "paused", "cancelled", "done"}
#: The pause between two looks at a job grows while nothing changes.
_LOOK_EVERY_MAX_SECONDS = 15.0
_PAUSE_GROWTH = 1.5


class Billing(TypedDict):
    """What a send was charged, from the headers of its answer."""

    category: str
    #: Sell price, a decimal text.
    price: str
    #: Whole credits; None on a wallet plan.
    creditsCharged: int | None
    creditsRemaining: int | None
    #: A decimal text, after the charge; None on a credit plan.
    walletBalance: str | None


class Sent(TypedDict):
    """What the answer of a send says in its headers."""

    #: Absent where nothing has been sent yet, and in the answer of a batch.
    billing: NotRequired[Billing]
    #: Whether an earlier request under the same key was answered with this.
    isReplayed: bool
    #: Under which it was sent.
    idempotencyKey: str
    #: Finds the request in the log of the service.
    requestId: str | None


class File(TypedDict):
    """A file that a customer sent."""

    content: bytes
    contentType: str | None


class List(Generic[Page, Row]):
    """A list of the service: `page()` is its first page, and a loop gives every row, page by page."""

    def __init__(self, load: Callable[[str | None], Page], field: str) -> None:
        self._load = load
        self._field = field

    def page(self) -> Page:
        return self._load(None)

    def pages(self) -> Iterator[Page]:
        cursor = None
        while True:
            page = self._load(cursor)
            yield page
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page[self._field]


class AsyncList(Generic[Page, Row]):
    """As List: `await page()` is its first page, and `async for` gives every row."""

    def __init__(self, rows: List[Page, Row]) -> None:
        self._rows = rows

    async def page(self) -> Page:
        return await asyncio.to_thread(self._rows.page)

    async def pages(self) -> AsyncIterator[Page]:
        pages = self._rows.pages()
        while (page := await asyncio.to_thread(next, pages, None)) is not None:
            yield page

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page[self._rows._field]:
                yield row


def _number(headers: Mapping[str, str], name: str) -> int | None:
    return int(headers[name]) if name in headers else None


def _sent_of(answered: Answered) -> Any:
    headers = answered.headers
    sent: Sent = {
        "isReplayed": headers.get("idempotency-replayed") == "true",
        "idempotencyKey": str(answered.idempotency_key),
        "requestId": headers.get("x-request-id"),
    }
    if "x-message-price" in headers:
        sent["billing"] = {
            "category": headers.get("x-message-category", "SERVICE"),
            "price": headers["x-message-price"],
            "creditsCharged": _number(headers, "x-credits-charged"),
            "creditsRemaining": _number(headers, "x-credits-remaining"),
            "walletBalance": headers.get("x-wallet-balance"),
        }
    return {**answered.body, **sent}


def _form_around(fields: Mapping[str, str | None], name: str, content_type: str) -> _Form:
    """What comes before and after the file in a form, and the type of the whole."""
    boundary = uuid.uuid4().hex
    part = f"--{boundary}\r\nContent-Disposition: form-data; name="
    # The service reads the file last.
    texts = [f'{part}"{key}"\r\n\r\n{text}\r\n' for key, text in fields.items() if text is not None]
    safe = name.translate({ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"})
    head = f'{part}"file"; filename="{safe}"\r\nContent-Type: {content_type}\r\n\r\n'
    tail = f"\r\n--{boundary}--\r\n".encode()
    return "".join([*texts, head]).encode(), tail, f"multipart/form-data; boundary={boundary}"


class _FileParts:
    """The bytes of a form around a file, which is read while it is sent, and again at each retry."""

    def __init__(self, head: bytes, path: str | os.PathLike[str], tail: bytes) -> None:
        self._head, self._path, self._tail = head, path, tail

    def __len__(self) -> int:
        return len(self._head) + os.path.getsize(self._path) + len(self._tail)

    def __iter__(self) -> Iterator[bytes]:
        yield self._head
        with open(self._path, "rb") as file:
            while block := file.read(_BLOCK_BYTES):
                yield block
        yield self._tail


class Calls:
    """Makes the calls that the generated methods name."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def _ask(self, call: Call, options: Mapping[str, Any]) -> Any:
        return request(self._settings, call, Options(**options)).body

    def _send(self, call: Call, options: Mapping[str, Any]) -> Any:
        return _sent_of(request(self._settings, call, Options(**options)))

    def _file(self, call: Call, options: Mapping[str, Any]) -> File:
        answered = request(self._settings, call, Options(**options))
        return {"content": answered.body, "contentType": answered.headers.get("content-type")}

    def _list(self, call: Call, field: str, options: Mapping[str, Any]) -> List[Any, Any]:
        def load(cursor: str | None) -> Any:
            query = {**call.query, "cursor": cursor or call.query.get("cursor")}
            return self._ask(Call(call.method, call.path, query), options)

        return List(load, field)

    def upload_media(
        self,
        content: bytes,
        content_type: str,
        *,
        filename: str = "file",
        phone_number_id: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> Any:
        """Uploads a file, whose `id` messages can name."""
        head, tail, kind = _form_around({"phoneNumberId": phone_number_id}, filename, content_type)
        form = head + content + tail, kind
        call = Call("POST", "/v1/media", form=form, timeout_seconds=FILE_SECONDS)
        return self._ask(call, {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def upload_job(
        self,
        path: str | os.PathLike[str],
        job: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> Any:
        """
        Makes a job of a file of CSV or JSON Lines (`.jsonl`), one under one key; `job` is as for
        `create_job`, without `rows`. Nothing is sent before `start_job`.
        """
        fields = {"spec": json.dumps(job)}
        head, tail, kind = _form_around(fields, os.path.basename(path), "application/octet-stream")
        form = _FileParts(head, path, tail), kind
        call = Call("POST", "/v1/jobs", form=form, is_keyed=True, timeout_seconds=FILE_SECONDS)
        options = {"timeout_seconds": timeout_seconds, "max_retries": max_retries}
        return self._ask(call, {**options, "idempotency_key": idempotency_key})

    def watch_job(self, job_id: str, *, every_seconds: float = 1.0) -> Iterator[Any]:
        """
        The job as it is, and again after each change, until it does nothing more by itself: it is
        checked, paused, cancelled or done. Looks again `every_seconds` after a change, and less
        often, down to every 15 s, while nothing changes.
        """
        for job, pause in self._looks(job_id, every_seconds):
            if job is not None:
                yield job
            if pause is not None:
                self._settings.sleep(pause)

    def _looks(self, job_id: str, every_seconds: float) -> Iterator[tuple[Any, float | None]]:
        """The job, or None where it is as before, and the pause until the next look; None at the end."""
        call = Call("GET", f"/v1/jobs/{urllib.parse.quote(job_id, safe='')}")
        before = None
        pause = every_seconds
        while True:
            job = self._ask(call, {})
            seen = job["state"], job["reason"], job["counts"], job["amount"], job["plan"] is None
            if seen != before:
                pause = every_seconds
            is_over = job["state"] in _RESTING
            yield None if seen == before else job, None if is_over else pause
            if is_over:
                return
            before = seen
            pause = max(every_seconds, min(pause * _PAUSE_GROWTH, _LOOK_EVERY_MAX_SECONDS))

    def follow_account(self, *, max_retries: int | None = None) -> Iterator[dict[str, Any]]:
        """
        What happens in the account from now on, without personal data. Ends when the service ends the
        connection, after 5 minutes: call it again.
        """
        call = Call("GET", "/v1/live", is_stream=True, timeout_seconds=FILE_SECONDS)
        with request(self._settings, call, Options(max_retries=max_retries)).body as lines:
            for line in lines:
                if line.startswith(b"data:"):
                    yield json.loads(line.removeprefix(b"data:"))


class AsyncCalls:
    """The same in the default executor of the event loop. A call that is cancelled goes on there."""

    def __init__(self, settings: Settings) -> None:
        self._calls = Calls(settings)

    async def _ask(self, call: Call, options: Mapping[str, Any]) -> Any:
        return await asyncio.to_thread(self._calls._ask, call, options)

    async def _send(self, call: Call, options: Mapping[str, Any]) -> Any:
        return await asyncio.to_thread(self._calls._send, call, options)

    async def _file(self, call: Call, options: Mapping[str, Any]) -> File:
        return await asyncio.to_thread(self._calls._file, call, options)

    def _list(self, call: Call, field: str, options: Mapping[str, Any]) -> AsyncList[Any, Any]:
        return AsyncList(self._calls._list(call, field, options))

    async def upload_media(self, content: bytes, content_type: str, **more: Any) -> Any:
        """Uploads a file, whose `id` messages can name."""
        return await asyncio.to_thread(self._calls.upload_media, content, content_type, **more)

    async def upload_job(self, path: str | os.PathLike[str], job: Mapping[str, Any], **more: Any) -> Any:
        """Makes a job of a file; see Waybill."""
        return await asyncio.to_thread(self._calls.upload_job, path, job, **more)

    async def watch_job(self, job_id: str, *, every_seconds: float = 1.0) -> AsyncIterator[Any]:
        """The job after each change; see Waybill."""
        looks = self._calls._looks(job_id, every_seconds)
        while (look := await asyncio.to_thread(next, looks, None)) is not None:
            job, pause = look
            if job is not None:
                yield job
            if pause is not None:
                # No thread is held for it, and it ends when the loop is cancelled.
                await asyncio.sleep(pause)

    async def follow_account(self, *, max_retries: int | None = None) -> AsyncIterator[dict[str, Any]]:
        """What happens in the account from now on; see Waybill."""
        events = self._calls.follow_account(max_retries=max_retries)
        while (event := await asyncio.to_thread(next, events, None)) is not None:
            yield event
