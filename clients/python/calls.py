"""Calls that repeat what may be repeated, raise one exception, and go through a list page by page."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from .client import AuthenticatedClient
from .types import Response

# Longer waits are the caller's to plan.
WAIT_S_MAX = 60
# Without `Retry-After`; doubled each time.
PAUSE_S = 0.5


class TraceflowError(Exception):
    """A refusal, or no answer of the service at all.

    `status` is 0 where no answer came. `code` is a word of docs/errors.md, or a newer one; `no_answer` where the service
    gave none, as a proxy's page. `hint` says what to send instead, where an address or a chain was not understood.
    `retry_after_s` is None where waiting does not help.
    """

    def __init__(
        self, message: str, status: int = 0, code: str = "no_answer", headers: Any = None, hint: str | None = None
    ):
        super().__init__(message)
        self.status = status
        self.code = code
        self.hint = hint
        self.request_id = headers.get("x-request-id") if headers else None
        self.retry_after_s = seconds_of(headers)


def connect(url: str, key: str, *, retries: int = 2, **options: Any) -> AuthenticatedClient:
    """Returns a client that sends a request again that may be repeated.

    That is a GET, or a request with an Idempotency-Key: after a broken connection, a 502 or 504, and after a 429 or 503
    once its Retry-After of at most 60 s has passed.
    """
    client = AuthenticatedClient(url, token=key, **options)
    headers = {client.auth_header_name: f"{client.prefix} {key}" if client.prefix else key}
    settings = {"base_url": url, "headers": headers, "timeout": options.get("timeout", httpx.Timeout(60))}
    verify = options.get("verify_ssl", True)
    blocking = Repeating(httpx.HTTPTransport(verify=verify), retries)
    client.set_httpx_client(httpx.Client(transport=blocking, **settings))
    waiting = AsyncRepeating(httpx.AsyncHTTPTransport(verify=verify), retries)
    return client.set_async_httpx_client(httpx.AsyncClient(transport=waiting, **settings))


def answer_of(call: Callable[..., Response], *args: Any, **named: Any) -> Any:
    """Returns what `call`, a `sync_detailed`, answers. Raises a TraceflowError for all else."""
    try:
        answer = call(*args, **named)
    except httpx.HTTPError as error:
        raise TraceflowError(f"No answer of the service: {error}") from error
    except (ValueError, KeyError, TypeError) as error:
        # What stands between, a proxy say, answers with a page of its own.
        raise TraceflowError(f"Not an answer of the service: {error}") from error
    if 200 <= answer.status_code < 300:
        return answer.parsed
    parsed = answer.parsed
    detail = getattr(parsed, "detail", None)
    if detail is None:
        raise TraceflowError(f"HTTP {int(answer.status_code)} without a reason of the service", int(answer.status_code))
    faults = [f"{'.'.join(map(str, fault.loc))}: {fault.msg}" for fault in detail] if isinstance(detail, list) else []
    message = "; ".join(faults) or str(detail)
    hint = getattr(parsed, "hint", None) or None
    raise TraceflowError(message, int(answer.status_code), parsed.code, answer.headers, hint)


def rows_of(call: Callable[..., Response], name: str, **named: Any) -> Iterator[Any]:
    """Goes through all rows of a list, page by page; `name` is the field of the rows."""
    offset = 0
    while True:
        page = answer_of(call, offset=offset, **named)
        rows = getattr(page, name)
        yield from rows
        known = offset + len(rows)
        following = getattr(page, "next_", known if known < getattr(page, "total", 0) else None)
        if not rows or following is None:
            return
        offset = following


def seconds_of(headers: Any) -> int | None:
    seconds = headers.get("retry-after", "") if headers else ""
    return int(seconds) if seconds.isdecimal() and len(seconds) <= 6 else None


def wait_for(status: int, headers: Any, pause_s: float) -> float | None:
    """Returns seconds until the request may be sent again; None where that does not help."""
    if status in (502, 504):
        return pause_s
    seconds = seconds_of(headers)
    return seconds if status in (429, 503) and seconds is not None and seconds <= WAIT_S_MAX else None


def may_repeat(request: httpx.Request) -> bool:
    """What reads, and what is done once however often it is sent."""
    return request.method == "GET" or "idempotency-key" in request.headers


class Repeating(httpx.BaseTransport):
    def __init__(self, transport: httpx.BaseTransport, retries: int):
        self.transport = transport
        self.retries = retries

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        left = self.retries if may_repeat(request) else 0
        for sent in range(left + 1):
            pause_s = PAUSE_S * 2**sent
            try:
                answer = self.transport.handle_request(request)
            except httpx.TransportError:
                if sent == left:
                    raise
                time.sleep(pause_s)
                continue
            wait_s = wait_for(answer.status_code, answer.headers, pause_s)
            if sent == left or wait_s is None:
                return answer
            answer.close()
            time.sleep(wait_s)
        raise AssertionError("the last attempt answers or raises")

    def close(self) -> None:
        self.transport.close()


class AsyncRepeating(httpx.AsyncBaseTransport):
    def __init__(self, transport: httpx.AsyncBaseTransport, retries: int):
        self.transport = transport
        self.retries = retries

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        left = self.retries if may_repeat(request) else 0
        for sent in range(left + 1):
            pause_s = PAUSE_S * 2**sent
            try:
                answer = await self.transport.handle_async_request(request)
            except httpx.TransportError:
                if sent == left:
                    raise
                await asyncio.sleep(pause_s)
                continue
            wait_s = wait_for(answer.status_code, answer.headers, pause_s)
            if sent == left or wait_s is None:
                return answer
            await answer.aclose()
            await asyncio.sleep(wait_s)
        raise AssertionError("the last attempt answers or raises")

    async def aclose(self) -> None:
        await self.transport.aclose()
