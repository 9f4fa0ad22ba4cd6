"""People and agents of one workspace, each with a token of the local issuer and the HTTP interface."""

import base64
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

SCOPES = "cloud.read cloud.propose cloud.write cloud.approve"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(stack: dict[str, Any], workspace: str, kind: str, name: str) -> str:
    """A token of an actor of the type `kind` (user or agent), for an hour, with a grant of its own."""
    key = load_pem_private_key(Path(stack["issuer"]["signing_key_file"]).read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    now, id = int(time.time()), name.lower()
    header = {"typ": "at+jwt", "alg": "EdDSA", "kid": stack["issuer"]["kid"]}
    claims = {
        "iss": stack["issuer"]["url"], "aud": stack["surfaces"]["cloud"]["base_url"], "sub": id, "iat": now, "exp": now + 3600,
        "jti": f"jti_{uuid4().hex}", "grant_id": f"grant_{workspace}_{id}", "scope": SCOPES, "workspace_id": workspace,
        "actor": {"type": kind, "id": id, "display_name": name},
    }
    signed = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claims))
    return f"{signed}.{_encoded(key.sign(signed.encode()))}"


@dataclass
class Person:
    """Acts over HTTP. Requests that fail end the run: they are the test's own."""

    http: httpx2.Client

    @classmethod
    def named(cls, stack: dict[str, Any], workspace: str, kind: str, name: str) -> "Person":
        headers = {"Authorization": f"Bearer {token(stack, workspace, kind, name)}"}
        return cls(httpx2.Client(base_url=stack["surfaces"]["cloud"]["base_url"], headers=headers, timeout=30))

    def get(self, path: str, **query: str) -> dict[str, Any]:
        return self._answer(self.http.get(path, params=query))

    def post(self, path: str, body: dict[str, Any], if_match: str | None = None) -> dict[str, Any]:
        headers = {"Idempotency-Key": str(uuid4())} | ({"If-Match": if_match} if if_match else {})
        return self._answer(self.http.post(path, json=body, headers=headers))

    @staticmethod
    def _answer(response: httpx2.Response) -> dict[str, Any]:
        assert response.is_success, f"{response.request.method} {response.request.url}: {response.text}"
        answer: dict[str, Any] = response.json()
        return answer

    def create(self, plural: str, name: str, content: dict[str, Any] | None = None, parent: str = "root") -> str:
        body = {"name": name, "parent_id": parent} | ({"content": content} if content else {})
        id: str = self.post(f"/v1/{plural}", body)["file"]["id"]
        return id

    def spreadsheet(self, name: str, sheet: str, cells: list[list[str]]) -> str:
        return self.create("spreadsheets", name, {"kind": "sheets", "sheets": [{"name": sheet, "cells": cells}]})

    def imported(self, format: str, name: str, text: str, parent: str = "root") -> str:
        body = {"format": format, "name": name, "text": text, "parent_id": parent}
        id: str = self.post("/v1/imports", body)["file"]["id"]
        return id

    def file(self, id: str) -> dict[str, Any]:
        file: dict[str, Any] = self.get(f"/v1/files/{id}")["file"]
        return file

    def texts(self, id: str) -> list[str]:
        """The text of each block of a document."""
        blocks = self.get(f"/v1/documents/{id}")["content"]["blocks"]
        return ["".join(segment["text"] for segment in block["segments"]) for block in blocks]

    def propose(self, id: str, *operations: dict[str, Any]) -> dict[str, Any]:
        etag = self.file(id)["etag"]
        plan: dict[str, Any] = self.post(f"/v1/files/{id}/edit-plans", {"operations": list(operations)}, etag)["plan"]
        return plan

    def edit(self, id: str, *operations: dict[str, Any]) -> None:
        plan = self.propose(id, *operations)
        self.post(plan["apply_url"], {}, plan["base_etag"])

    def replace(self, id: str, find: str, replace: str) -> None:
        """Replaces a text in the one block of a document that has it."""
        blocks = self.get(f"/v1/documents/{id}")["content"]["blocks"]
        [block] = [block["id"] for block in blocks if find in json.dumps(block)]
        self.edit(id, {"op": "replace_text", "block_id": block, "find": find, "replace": replace, "expected_count": 1})
