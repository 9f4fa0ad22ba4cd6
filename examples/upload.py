"""Uploads a file in chunks, whatever happens to the connection, and downloads it again: upload.py FILE.

Needs CLOUD and CLOUD_TOKEN in the environment (`set -a; . .fourfold/env`). If it stops, run it again: it continues."""

import base64
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any

CLOUD, TOKEN, PATH = os.environ["CLOUD"], os.environ["CLOUD_TOKEN"], sys.argv[1]


def call(method: str, path: str, body: bytes | None, **headers: str) -> Any:
    """Repeats until there is a response. Every request here is safe to repeat."""
    headers = {name.replace("_", "-"): text for name, text in headers.items()} | {"Authorization": "Bearer " + TOKEN}
    for _ in range(200):
        request = urllib.request.Request(CLOUD + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code not in (400, 429, 500, 502, 503):  # 400: the chunk was cut off on its way
                sys.exit(refused.read().decode())
            time.sleep(int(refused.headers.get("Retry-After", 1)))
        except (OSError, http.client.HTTPException, ValueError):  # the connection broke
            time.sleep(0.2)
    sys.exit("The service cannot be reached.")


def command(path: str, body: dict[str, Any], key: str) -> Any:
    """The key makes it happen once, however often it is sent."""
    return call("POST", path, json.dumps(body).encode(), Content_Type="application/json", Idempotency_Key=key)


with open(PATH, "rb") as file:
    sha256, size = hashlib.file_digest(file, "sha256").hexdigest(), file.tell()
    claim = {"name": os.path.basename(PATH), "mime": "application/octet-stream", "size": size, "sha256": sha256}
    # The next run makes the same key of the same file, and so finds the upload that was interrupted.
    key = "begin-" + hashlib.sha256(json.dumps(claim).encode()).hexdigest()
    upload_id = command("/v1/uploads", claim, key)["upload"]["id"]
    here = f"/v1/uploads/{upload_id}"
    upload = call("GET", here, None)["upload"]
    while (index := upload["next_chunk_index"]) < upload["chunk_count"]:
        file.seek(index * upload["chunk_bytes"])
        chunk = file.read(upload["chunk_bytes"])
        checksum = "sha-256=:" + base64.b64encode(hashlib.sha256(chunk).digest()).decode() + ":"
        headers = {"Content_Type": "application/octet-stream", "Content_Digest": checksum}
        upload = call("PUT", f"{here}/chunks/{index}", chunk, **headers)["upload"]
made = command(here + "/complete", {}, f"complete-{upload_id}")["file"]

digest, received, stalled = hashlib.sha256(), 0, 0  # Download it again, from wherever the connection breaks.
while received < size:
    before = received
    link = call("POST", f"/v1/files/{made['id']}/download-grants", b"{}", Content_Type="application/json")["download"]
    try:
        request = urllib.request.Request(link["url"], headers={"Range": f"bytes={received}-"})
        with urllib.request.urlopen(request, timeout=40) as answer:
            while piece := answer.read(65536):
                digest.update(piece)
                received += len(piece)
    except (OSError, http.client.HTTPException):
        pass  # What has arrived counts.
    stalled = stalled + 1 if received == before else 0
    if stalled == 20:
        sys.exit("The file cannot be downloaded again.")
    if stalled:
        time.sleep(0.2)
if digest.hexdigest() != sha256:
    sys.exit(f"{made['id']} {size} DAMAGED")
print(made["id"], size, "as it was sent")
