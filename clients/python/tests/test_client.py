"""Retries, errors, pages and webhooks, without a network."""

import asyncio
import base64
import builtins
import hmac
import io
import json
import unittest
import urllib.error
from email.message import Message
from typing import Any

from waybill_client import (
    ApiError,
    AsyncWaybill,
    CapReachedError,
    ConnectionError,
    OutcomeUnknownError,
    SendFailedError,
    TimeoutError,
    Waybill,
    WaybillError,
    WebhookError,
    verify_webhook,
)
from waybill_client.client import AsyncCalls, Calls
from waybill_client.transport import Settings

SENT = {"success": True, "messageId": "wamid.1", "channel": "template", "event": "order_delivered"}
NOTIFICATION: Any = {
    "to": "+919812345678",
    "event": "order_delivered",
    "variables": {"customerName": "Asha", "orderId": "A-77"},
}


class Answer(io.BytesIO):
    def __init__(self, body: Any, headers: dict[str, str]) -> None:
        super().__init__(body if isinstance(body, bytes) else json.dumps(body).encode())
        self.headers = headers


def refusal(status: int, more: Any = None, **headers: str) -> Any:
    """Makes it anew for each attempt, whose body can be read once."""
    said = Message()
    for name, value in headers.items():
        said[name.replace("_", "-")] = value
    body = more if isinstance(more, bytes) else json.dumps({"error": "As it is", **(more or {})}).encode()
    return lambda: urllib.error.HTTPError("http://waybill.test", status, "", said, io.BytesIO(body))


LOST = urllib.error.URLError(ConnectionRefusedError(111, "Connection refused"))


class Wire:
    """A client whose calls are answered one after the other; the last answer stands for all further ones."""

    def __init__(self, *answers: Any, kind: type[Waybill] | type[AsyncWaybill] = Waybill) -> None:
        self.answers = answers
        self.requests: list[Any] = []
        self.waits: list[float] = []
        self.client: Any = kind("wb_live_test", "http://waybill.test:8080/api")
        settings = Settings(
            "wb_live_test", "http://waybill.test:8080/api",
            opener=self.open, random=lambda: 1.0, sleep=self.waits.append,
        )  # fmt: skip
        base = Calls if kind is Waybill else AsyncCalls
        base.__init__(self.client, settings)

    def open(self, request: Any, _timeout: float) -> Any:
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        if callable(answer):
            raise answer()
        if isinstance(answer, Exception):
            raise answer
        body, headers = answer if isinstance(answer, tuple) else (answer, {})
        return Answer(body, headers)

    def keys(self) -> set[str | None]:
        return {request.get_header("Idempotency-key") for request in self.requests}


class Retries(unittest.TestCase):
    def test_waits_longer_each_time_and_keeps_the_key(self) -> None:
        wire = Wire(LOST)
        with self.assertRaises(ConnectionError) as raised:
            wire.client.send_notification(NOTIFICATION)
        self.assertEqual(wire.waits, [1, 2, 4, 8])
        self.assertEqual(wire.keys(), {raised.exception.idempotency_key})
        self.assertTrue(raised.exception.may_have_been_sent)
        self.assertEqual(
            str(raised.exception),
            "POST /v1/notifications/send: no answer from waybill.test:8080: [Errno 111] Connection refused",
        )

    def test_gives_the_answer_that_comes_then(self) -> None:
        for first, wait in (
            (refusal(500), 1),
            (refusal(503, None, Retry_After="3"), 3),
            (refusal(429, None, Retry_After="7", RateLimit_Reset="60"), 7),
            (refusal(429, None, RateLimit_Reset="60"), 60),
            (refusal(409, {"code": "IDEMPOTENCY_IN_PROGRESS"}, Retry_After="1"), 1),
            (refusal(502, b"<html>"), 1),
            (b'{"success": tr', 1),
        ):
            wire = Wire(first, SENT)
            self.assertEqual(wire.client.send_notification(NOTIFICATION)["messageId"], "wamid.1")
            self.assertEqual(wire.waits, [wait])
            self.assertEqual(len(wire.keys()), 1)

    def test_takes_a_fresh_key_once_where_the_provider_refused(self) -> None:
        refused = refusal(502, {"code": "SEND_FAILED", "details": {"providerCode": 131026}})
        wire = Wire(refused)
        with self.assertRaises(SendFailedError) as raised:
            wire.client.send_notification(NOTIFICATION)
        self.assertEqual(raised.exception.provider_code, 131026)
        self.assertEqual((len(wire.requests), len(wire.keys())), (2, 2))
        mine = Wire(refused)
        with self.assertRaises(SendFailedError):
            mine.client.send_notification(NOTIFICATION, idempotency_key="mine")
        self.assertEqual(len(mine.requests), 1)

    def test_leaves_other_refusals_as_they_are(self) -> None:
        for answer, kind in (
            *((refusal(status), ApiError) for status in (400, 401, 402, 403, 404, 409, 410, 422)),
            (refusal(429, {"limit": "daily"}), CapReachedError),
            (refusal(429, None, Retry_After="3600"), ApiError),
            (refusal(504, {"code": "OUTCOME_UNKNOWN"}), OutcomeUnknownError),
        ):
            wire = Wire(answer)
            with self.assertRaises(kind):
                wire.client.send_notification(NOTIFICATION)
            self.assertEqual(len(wire.requests), 1)

    def test_makes_once_what_would_be_done_twice(self) -> None:
        for answer in (LOST, refusal(500)):
            wire = Wire(answer)
            with self.assertRaises(WaybillError):
                wire.client.create_bot({"name": "Hours"})
            self.assertEqual(len(wire.requests), 1)

    def test_says_that_the_time_is_over(self) -> None:
        wire = Wire(urllib.error.URLError(builtins.TimeoutError()))
        with self.assertRaises(TimeoutError) as raised:
            wire.client.get_credits(max_retries=0)
        self.assertEqual(str(raised.exception), "GET /v1/credits: no answer from waybill.test:8080 in time")


class Answers(unittest.TestCase):
    def test_are_text_in_a_format_that_is_not_json(self) -> None:
        self.assertEqual(Wire(b"charge,price\n").client.get_statement(format="csv"), "charge,price\n")
        self.assertEqual(Wire({"final": True}).client.get_statement(), {"final": True})

    def test_have_their_cost_only_where_they_say_it(self) -> None:
        free = {"X-Message-Price": "0.0000", "X-Message-Category": "SERVICE"}
        self.assertEqual(Wire((SENT, free)).client.send_notification(NOTIFICATION)["billing"]["price"], "0.0000")
        self.assertNotIn("billing", Wire({"sent": 2, "results": []}).client.send_notification_batch({}))


class Impossible(unittest.TestCase):
    def test_calls_fail_at_once_and_not_as_ones_that_may_have_been_sent(self) -> None:
        wire = Wire(LOST)
        for key in ("", "order-ö", "k" * 256):
            with self.assertRaises(WaybillError) as raised:
                wire.client.send_notification(NOTIFICATION, idempotency_key=key)
            self.assertNotIsInstance(raised.exception, ConnectionError)
        endless: dict[str, Any] = {}
        endless["endless"] = endless
        with self.assertRaises(ValueError):
            wire.client.send_message(endless)
        with self.assertRaises(FileNotFoundError):
            wire.client.upload_job("no.such.file", {})
        self.assertEqual(wire.requests, [])


class Errors(unittest.TestCase):
    def test_are_sentences(self) -> None:
        for body, text in (
            ({"error": "Not found", "hint": "Compare the path."}, "Not found. Compare the path."),
            (
                {"error": "Rejected", "details": {"hint": "Check it."}, "hint": "Given back."},
                "Rejected. Check it. Given back.",
            ),
            ({"error": {"formErrors": [], "fieldErrors": {"variables": ["variables.otp: is required"]}}},
             "variables.otp: is required"),
            ({"error": None}, "The service answered 400"),
        ):  # fmt: skip
            with self.assertRaises(ApiError) as raised:
                Wire(refusal(400, body)).client.get_credits()
            self.assertEqual(str(raised.exception), text)

    def test_name_what_a_client_needs(self) -> None:
        for key, url in (("", "https://waybill.test/api"), ("k\n", "https://waybill.test/api"), ("k", "waybill.test")):
            with self.assertRaisesRegex(WaybillError, "is needed"):
                Waybill(key, url)


class Lists(unittest.TestCase):
    PAGES = ({"messages": [{"id": "1"}, {"id": "2"}], "nextCursor": "next"}, {"messages": [{"id": "3"}], "nextCursor": None})

    def test_give_a_page_or_every_row(self) -> None:
        wire = Wire(*self.PAGES)
        self.assertEqual(len(wire.client.list_messages(limit=2).page()["messages"]), 2)
        wire = Wire(*self.PAGES)
        self.assertEqual([row["id"] for row in wire.client.list_messages(limit=2)], ["1", "2", "3"])
        self.assertEqual([request.full_url.split("?")[1] for request in wire.requests], ["limit=2", "limit=2&cursor=next"])

    def test_do_so_for_asyncio(self) -> None:
        async def rows() -> list[str]:
            wire = Wire(*self.PAGES, kind=AsyncWaybill)
            return [row["id"] async for row in wire.client.list_messages(limit=2)]

        self.assertEqual(asyncio.run(rows()), ["1", "2", "3"])


class LiveEvents(unittest.TestCase):
    STREAM = b": hello\n\nid: 1\ndata: {\"kind\": \"message\"}\n\ndata: {\"kind\": \"status\"}\n\n"

    def test_come_one_by_one_until_the_connection_ends(self) -> None:
        wire = Wire(LOST, self.STREAM)
        self.assertEqual([event["kind"] for event in wire.client.follow_account()], ["message", "status"])
        self.assertEqual(wire.requests[1].full_url, "http://waybill.test:8080/api/v1/live")

    def test_do_so_for_asyncio(self) -> None:
        async def kinds() -> list[str]:
            wire = Wire(self.STREAM, kind=AsyncWaybill)
            return [event["kind"] async for event in wire.client.follow_account()]

        self.assertEqual(asyncio.run(kinds()), ["message", "status"])


class Jobs(unittest.TestCase):
    def jobs(self, *states: str) -> list[Any]:
        return [{"state": state, "reason": None, "counts": {}, "amount": 0, "plan": {}} for state in states]

    def test_are_looked_at_less_and_less_often_while_nothing_changes(self) -> None:
        wire = Wire(*self.jobs(*["queued"] * 9, "running", "done"))
        self.assertEqual([job["state"] for job in wire.client.watch_job("job_1")], ["queued", "running", "done"])
        self.assertEqual([round(wait, 1) for wait in wire.waits], [1, 1.5, 2.2, 3.4, 5.1, 7.6, 11.4, 15, 15, 1])

    def test_are_watched_for_asyncio(self) -> None:
        async def states() -> list[str]:
            wire = Wire(*self.jobs("checking", "checking", "ready"), kind=AsyncWaybill)
            return [job["state"] async for job in wire.client.watch_job("job_1", every_seconds=0)]

        self.assertEqual(asyncio.run(states()), ["checking", "ready"])

    def test_are_made_under_one_key_until_an_answer_comes(self) -> None:
        wire = Wire(LOST, {"id": "job_1"}, *[LOST] * 5)
        self.assertEqual(wire.client.upload_job(__file__, {"event": "order_shipped"}), {"id": "job_1"})
        first, second = [request.get_header("Idempotency-key") for request in wire.requests]
        self.assertTrue(first)
        self.assertEqual(first, second)
        with self.assertRaises(ConnectionError) as raised:
            wire.client.retry_job("job_1", idempotency_key="again")
        self.assertFalse(raised.exception.may_have_been_sent)
        self.assertEqual(raised.exception.idempotency_key, "again")


class Webhooks(unittest.TestCase):
    # The example of the specification of Standard Webhooks.
    SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    BODY = '{"test": 2432232314}'
    AT = 1614265330
    HEADERS = {
        "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "Webhook-Timestamp": "1614265330",
        "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }

    def test_are_verified(self) -> None:
        event = verify_webhook(self.BODY.encode(), self.HEADERS, ["whsec_b3RoZXI=", self.SECRET], now=self.AT)
        self.assertEqual(event["id"], "msg_p5jXN8AQM9LWM0D4loKWxJek")

    def signed_by_nothing(self) -> str:
        text = f"msg_p5jXN8AQM9LWM0D4loKWxJek.{self.AT}.{self.BODY}"
        return f"v1,{base64.b64encode(hmac.digest(b'', text.encode(), 'sha256')).decode()}"

    def test_are_refused(self) -> None:
        for body, headers, secret, now in (
            (self.BODY + " ", self.HEADERS, self.SECRET, self.AT),
            (self.BODY, self.HEADERS, "whsec_b3RoZXI=", self.AT),
            (self.BODY, self.HEADERS, self.SECRET, self.AT + 301),
            (self.BODY, self.HEADERS, self.SECRET, self.AT - 301),
            (self.BODY, {}, self.SECRET, self.AT),
            (self.BODY, self.HEADERS, "whsec_?", self.AT),
            (self.BODY, self.HEADERS, "whsec_ö", self.AT),
            (self.BODY, {**self.HEADERS, "Webhook-Signature": self.signed_by_nothing()}, "whsec_", self.AT),
        ):
            with self.assertRaises(WebhookError):
                verify_webhook(body, headers, secret, now=now)


if __name__ == "__main__":
    unittest.main()
