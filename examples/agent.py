"""An agent that adds a paragraph to a document exactly once, even if requests fail.

It knows no error codes: it does what `retryable` and `next_action` of our error objects say (docs/guides/errors-and-retries.md).

    CLOUD=… CLOUD_TOKEN=… python3 examples/agent.py FILE_ID TEXT TASK

TASK is a name of your choice for this piece of work. Run again with the same one, after a crash for example, the agent
finishes what it had begun, and adds nothing twice.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

LINE_BREAKS = 20  # how often one request is sent over a line that breaks
ROUNDS = 10  # how often the agent starts again because somebody else was faster


class Refused(Exception):
    """A refusal that a retry would not change."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['message']} ({error['code']}, {error['request_id']})")
        self.action: dict[str, Any] = error["next_action"]


class Cloud:
    """Requests that are safe to retry: reads, and commands with an idempotency key."""

    def __init__(self, base_url: str, token: str, longest_wait: float = 120) -> None:
        self.base_url = base_url
        self.token = token
        self.longest_wait = longest_wait

    def read(self, path: str) -> dict[str, Any]:
        return self._answer("GET", path, None, {})

    def command(self, path: str, body: dict[str, Any], key: str, etag: str) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key, "If-Match": etag}
        return self._answer("POST", path, json.dumps(body).encode(), headers)

    def _answer(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
        breaks = 0
        until = time.monotonic() + self.longest_wait
        while True:
            # Use only the path of a link, so that no answer can send the token to another host.
            link = urlsplit(path)
            url = self.base_url + link.path + (f"?{link.query}" if link.query else "")
            request = urllib.request.Request(url, body, {"Authorization": f"Bearer {self.token}", **headers}, method=method)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    read: dict[str, Any] = json.load(answer)
                    return read
            except urllib.error.HTTPError as refusal:
                error = error_of(refusal)
                if not error["retryable"]:
                    raise Refused(error) from None
                action = error["next_action"]
                if time.monotonic() + action["after_seconds"] > until:
                    raise Refused(error) from None
                time.sleep(action["after_seconds"])
                if action["type"] == "poll":  # it happens: look there for what comes of it
                    method, path, body, headers = "GET", action["href"], None, {}
            except (OSError, http.client.HTTPException, ValueError):
                # The request may have taken effect. With the same key, a retry returns the first answer.
                breaks += 1
                if breaks > LINE_BREAKS:
                    raise
                time.sleep(min(0.1 * 2**breaks, 5))


def error_of(refusal: urllib.error.HTTPError) -> dict[str, Any]:
    """The error object of an answer; made up for answers of a proxy, which have none."""
    try:
        error: dict[str, Any] = json.load(refusal)["error"]
        return error
    except (ValueError, KeyError, TypeError):
        again = refusal.code in (429, 502, 503, 504)
        after = int(refusal.headers.get("Retry-After") or 1)
        action = {"type": "retry_same_key", "after_seconds": after} if again else {"type": "contact_support"}
        message = f"HTTP {refusal.code} without an error object"
        return {"code": "unknown", "message": message, "request_id": "-", "retryable": again, "next_action": action}


def add_paragraph(cloud: Cloud, file_id: str, text: str, task: str) -> str:
    """Proposes an edit, checks the plan and applies it. Returns the outcome as text."""
    block = {"type": "paragraph", "segments": [{"text": text}]}
    edit = {"operations": [{"op": "insert_block", "block": block}]}
    plan: dict[str, Any] | None = None
    # Keys derive from the task and the object of a step, not from the number of attempts. So a second run repeats the
    # requests of the first one, even if they are now refused at another step.
    proposals = 0
    for _ in range(ROUNDS):
        try:
            etag = cloud.read(f"/v1/documents/{file_id}")["file"]["etag"]
            if plan is None:
                plan = cloud.command(f"/v1/files/{file_id}/edit-plans", edit, f"{task}-propose-{proposals}", etag)["plan"]
            severe = [warning for warning in plan["warnings"] if warning["severity"] == "high"]
            if severe:
                reasons = "; ".join(f"{each['code']} {each['where']} {each['detail']}" for each in severe)
                return f"stopped: a person should look at {plan['id']} first: {reasons}"
            applied = cloud.command(plan["apply_url"], {}, f"{task}-apply-{plan['id']}", etag)
            return f"done: {plan['id']} is applied{' (it had happened already)' if applied.get('replayed') else ''}"
        except Refused as error:
            refused = error
        if refused.action["type"] == "rebase" and plan is not None:
            # The file has changed or the plan has expired: propose the same edit for the current version.
            try:
                etag = refused.action.get("etag") or etag
                plan = cloud.command(refused.action["href"], {}, f"{task}-rebase-{plan['id']}", etag)["plan"]
                continue
            except Refused as conflict:
                refused = conflict
        if refused.action["type"] == "request_scope":
            return f"stopped: this token lacks the scope {refused.action['scope']}"
        if refused.action["type"] != "refresh":
            return f"stopped: {refused}"
        if plan is None:
            continue
        # Read the plan and decide again. Another one may have taken its place.
        own = f"/v1/files/{file_id}/edit-plans/{plan['id']}"
        try:
            seen = cloud.read(refused.action["href"]).get("plan") or cloud.read(own)["plan"]
        except Refused as gone:
            return f"stopped: {gone}"
        if seen["state"] == "applied":
            return "done: it had been applied already"
        if seen["state"] in ("in_review", "rejected", "returned"):  # a person decides, or has decided
            return f"stopped: {refused}"
        if seen["id"] == plan["id"] and (seen["stale"] or seen["state"] == "discarded"):
            plan, proposals = None, proposals + 1
        else:
            plan = seen
    return f"stopped: it was not done in {ROUNDS} rounds"


if __name__ == "__main__":
    outcome = add_paragraph(Cloud(os.environ["CLOUD"], os.environ["CLOUD_TOKEN"]), *sys.argv[1:4])
    print(outcome)
    sys.exit(not outcome.startswith("done"))
