"""A proxy in this process that simulates network faults and busy services for single requests."""

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


Forward = Callable[[], Answer]
# Handles one request. It may forward it; returning None closes the connection without an answer.
Fault = Callable[[Forward], Answer | None]


def refusal(status: int, code: str, after_seconds: int, action: str = "wait") -> Answer:
    error = {
        "code": code,
        "message": "By the proxy.",
        "request_id": "req_proxy",
        "retryable": True,
        "next_action": {"type": action, "after_seconds": after_seconds},
    }
    headers = {"Content-Type": "application/json", "Retry-After": str(after_seconds)}
    return Answer(status, headers, json.dumps({"error": error}).encode())


def rate_limited(_: Forward) -> Answer:
    return refusal(429, "rate_limited", 1)


def unavailable(_: Forward) -> Answer:
    return refusal(503, "temporarily_unavailable", 1, "retry_same_key")


def no_upstream(_: Forward) -> Answer:
    """An answer of a load balancer, without an error object."""
    return Answer(503, {"Content-Type": "text/html", "Retry-After": "1"}, b"<h1>503</h1>")


def lose_answer(forward: Forward) -> None:
    """The service commits, but the answer is lost."""
    assert forward().status < 300


def delay(forward: Forward) -> Answer:
    time.sleep(1)
    return forward()


def before(act: Callable[[], None]) -> Fault:
    """Another client acts just before the request arrives."""

    def fault(forward: Forward) -> Answer:
        act()
        return forward()

    return fault


@dataclass
class FaultyProxy:
    """`with FaultyProxy(upstream, [("/apply", fault), …]) as proxy`: each fault hits the first request whose path ends like this."""

    upstream: str
    faults: list[tuple[str, Fault]]
    seen: list[str] = field(default_factory=list)

    def __enter__(self) -> "FaultyProxy":
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                """Logs nothing."""

            def do_GET(self) -> None:
                proxy._meet(self)

            do_POST = do_GET

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _meet(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        self.seen.append(f"{handler.command} {handler.path}")

        def forward() -> Answer:
            return self._forward(handler, body)

        found = next((one for one in self.faults if handler.path.endswith(one[0])), None)
        if found:
            self.faults.remove(found)
        answer = found[1](forward) if found else forward()
        handler.close_connection = True
        if answer is None:
            return
        handler.send_response(answer.status)
        for name, text in {**answer.headers, "Content-Length": str(len(answer.body)), "Connection": "close"}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(answer.body)

    def _forward(self, handler: BaseHTTPRequestHandler, body: bytes) -> Answer:
        line = http.client.HTTPConnection(urlsplit(self.upstream).netloc, timeout=30)
        passed = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match")
        headers = {name: handler.headers[name] for name in passed if name in handler.headers}
        line.request(handler.command, handler.path, body or None, headers)
        answer = line.getresponse()
        kept = ("Content-Type", "Retry-After", "ETag")
        read = Answer(answer.status, {name: text for name in kept if (text := answer.getheader(name))}, answer.read())
        line.close()
        return read
