"""A tour in Python with the generated clients: edit a document and undo it, upload a file, publish an event and verify its proof.

    clients/run 0                                      # once: generates the clients (openapi-python-client) and installs what they need
    PYTHONPATH=clients/python/generated target/clients/python/bin/python examples/tour.py .fourfold/stack.json
"""

import base64
import hashlib
import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import urlopen
from uuid import uuid4

import cloud
import rfc8785
import trust
from cloud import models
from cloud.api.cloud import (
    apply_document_edit,
    complete_upload,
    create_document,
    create_download_grant,
    create_upload,
    get_document,
    propose_file_edit,
    put_chunk,
    restore_version,
)
from cloud.types import File
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from trust.api.trust import publish_event
from trust.models import ErrorBody, Publication


Answer = TypeVar("Answer")


def sent(send: Callable[[], Answer | models.ErrorBody | ErrorBody | None]) -> Answer:
    """Sends a request, again after a lost connection. The key stays the same, so it takes effect once."""
    for attempt in range(3):
        try:
            answer = send()
        except OSError:
            if attempt == 2:
                raise
            continue
        if answer is None or isinstance(answer, (models.ErrorBody, ErrorBody)):
            raise SystemExit(f"refused: {answer}")
        return answer
    raise AssertionError


def edit_and_undo(client: cloud.AuthenticatedClient) -> list[str]:
    """The texts of a document after each step."""
    steps = []

    def read() -> None:
        content = sent(lambda: get_document.sync(file.id, client=client)).content
        assert isinstance(content, models.DocumentContent)
        steps.append(" ".join("".join(segment.text for segment in block.segments) for block in content.blocks))

    block = models.TextBlock(id="b1", type_=models.TextBlockType.PARAGRAPH, segments=[models.Segment(text="Begin at 9:30.")])
    new = models.CreateDocument(name="Tour", content=models.DocumentContent(kind=models.DocumentKind.DOCS, blocks=[block]))
    key = str(uuid4())
    file = sent(lambda: create_document.sync(client=client, body=new, idempotency_key=key)).file
    read()

    later = models.ReplaceTextInBlock(
        op=models.ReplaceTextInBlockOp.REPLACE_TEXT, block_id="b1", find="9:30", replace="10:00", expected_count=1
    )
    body = models.ProposeEditPlan(operations=[later])
    key = str(uuid4())
    # The entity tag binds the plan to the version that was read, so no other change is overwritten.
    plan = sent(lambda: propose_file_edit.sync(file.id, client=client, body=body, idempotency_key=key, if_match=file.etag)).plan
    key = str(uuid4())
    applied = sent(
        lambda: apply_document_edit.sync(
            file.id, plan.id, client=client, body=models.Empty(), idempotency_key=key, if_match=file.etag
        )
    )
    read()

    undo = applied.undo
    assert isinstance(undo, models.Undo)
    key = str(uuid4())
    sent(
        lambda: restore_version.sync(
            file.id, plan.base_version_id, client=client, body=models.Empty(), idempotency_key=key, if_match=undo.if_match
        )
    )
    read()
    return steps


def upload(client: cloud.AuthenticatedClient, content: bytes) -> bytes:
    """Uploads a file chunk by chunk, and downloads it again."""
    digest = hashlib.sha256(content).hexdigest()
    begin = models.BeginUpload(name="Tour.bin", mime="application/octet-stream", size=len(content), sha256=digest)
    key = str(uuid4())
    made = sent(lambda: create_upload.sync(client=client, body=begin, idempotency_key=key)).upload
    for index in range(made.chunk_count):
        chunk = content[index * made.chunk_bytes : (index + 1) * made.chunk_bytes]
        checked = f"sha-256=:{base64.b64encode(hashlib.sha256(chunk).digest()).decode()}:"
        sent(lambda: put_chunk.sync(made.id, index, client=client, body=File(io.BytesIO(chunk)), content_digest=checked))
    key = str(uuid4())
    done = sent(lambda: complete_upload.sync(made.id, client=client, body=models.CompleteUpload(), idempotency_key=key))
    assert isinstance(done.file, models.FileRecord)
    file_id = done.file.id
    grant = sent(lambda: create_download_grant.sync(file_id, client=client, body=models.CreateDownloadGrant()))
    with urlopen(grant.download.url) as answer:  # a link for two minutes: the token does not go along
        downloaded: bytes = answer.read()
    return downloaded


def publish_and_verify(stack: dict[str, Any]) -> str:
    """Publishes a signed event and verifies its proof with the log's public key. Returns the checkpoint."""
    base_url, signer = stack["surfaces"]["trust"]["base_url"], stack["signer"]
    event: dict[str, Any] = {
        "schema": "service/market-event/v1",
        "event_id": f"evt_{uuid4().hex}",
        "kind": "market.listed",
        "market_id": f"mkt_{uuid4().hex}",
        "revision": 1,
        "prev_event_hash": None,
        "issued_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "data": {"title": "Is the tour over?"},
    }
    event_hash = f"sha256:{hashlib.sha256(rfc8785.dumps(event)).hexdigest()}"
    key = load_pem_private_key(Path(signer["signing_key_file"]).read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    signed = f"service-trust/publish/v1\n{base_url}\n{signer['key_id']}\n{event_hash}\n"
    signature = base64.b64encode(key.sign(signed.encode())).decode()
    body = {"event": event, "event_hash": event_hash, "signer_key_id": signer["key_id"], "signature": signature}
    log = sent(lambda: publish_event.sync(client=trust.Client(base_url), body=Publication.from_dict(body))).data.log

    # RFC 9162 §2.1.3.2: compute the root from the entry and the inclusion path.
    root = hashlib.sha256(b"\0" + rfc8785.dumps(body)).digest()
    node, last = log.index, log.tree_size - 1
    for sibling in map(base64.b64decode, log.inclusion_path):
        is_right = node % 2 == 1 or node == last
        root = hashlib.sha256(b"\1" + (sibling + root if is_right else root + sibling)).digest()
        if is_right:
            while node % 2 == 0 and node:
                node, last = node >> 1, last >> 1
        node, last = node >> 1, last >> 1
    # The checkpoint contains the root and is signed by the log (c2sp.org/signed-note).
    text, _, signatures = log.checkpoint.rpartition("\n\n")
    name, size, root_said = text.split("\n")[:3]
    assert last == 0 and int(size) == log.tree_size and base64.b64decode(root_said) == root, "the proof does not hold"
    key_name, _, key_text = stack["trust"]["log_key"].split("+", 2)
    line = next(line for line in signatures.splitlines() if line.startswith(f"— {key_name} "))
    log_key = Ed25519PublicKey.from_public_bytes(base64.b64decode(key_text)[1:])
    log_key.verify(base64.b64decode(line.rsplit(" ", 1)[1])[4:], f"{text}\n".encode())
    return f"{name} has entry {log.index} of {size}"


def tour(stack: dict[str, Any]) -> None:
    client = cloud.AuthenticatedClient(stack["surfaces"]["cloud"]["base_url"], stack["tokens"]["cloud"]["ada"])
    for step in edit_and_undo(client):
        print(step)
    content = hashlib.shake_256(b"tour").digest(2_500_000)
    assert upload(client, content) == content, "what comes back is something else"
    print(f"{len(content)} bytes went there and back")
    print(publish_and_verify(stack))


if __name__ == "__main__":
    tour(json.loads(Path(sys.argv[1]).read_text()))
