"""When a refused or unanswered call is made again (the retry table of the service's docs/api.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import code_in, is_cap

#: Longest wait that an answer can ask for, in seconds; a longer one is an error for the caller to see.
WAIT_SECONDS_MAX = 120
FIRST_DELAY_SECONDS = 1.0
LAST_DELAY_SECONDS = 16.0


@dataclass(frozen=True)
class Outcome:
    """What a call was answered."""

    status: int
    body: Any
    #: `Retry-After`; None without it.
    retry_after_seconds: float | None
    #: `RateLimit-Reset`, which every answer has; None without it.
    reset_seconds: float | None


@dataclass(frozen=True)
class Again:
    """The call is made again."""

    #: None: after the next delay.
    after_seconds: float | None = None
    #: The old key would bring the old answer.
    fresh_key: bool = False


def _after(seconds: float | None) -> Again | None:
    if seconds is None:
        return Again()
    return None if seconds > WAIT_SECONDS_MAX else Again(seconds)


def verdict_on(outcome: Outcome | None, *, is_repeatable: bool, is_send: bool) -> Again | None:
    """None where the call is not made again. `outcome` is None where no answer came."""
    if outcome is None:
        return Again() if is_repeatable else None
    code = code_in(outcome.body)
    if outcome.status == 429:
        wait = outcome.retry_after_seconds
        return None if is_cap(outcome.body) else _after(outcome.reset_seconds if wait is None else wait)
    if outcome.status == 409 and code == "IDEMPOTENCY_IN_PROGRESS":
        return _after(outcome.retry_after_seconds)
    if outcome.status < 500 or not is_repeatable:
        return None
    # It may have gone out: another key could send it twice, and this one brings the same answer.
    if is_send and code == "OUTCOME_UNKNOWN":
        return None
    if is_send and code == "SEND_FAILED":
        return Again(fresh_key=True)
    return _after(outcome.retry_after_seconds)


def delay_seconds(attempt: int, random: float) -> float:
    """1, 2, 4, 8, 16 s, each taken between its half and itself, so that many callers spread."""
    return min(FIRST_DELAY_SECONDS * 2**attempt, LAST_DELAY_SECONDS) * (0.5 + random / 2)
