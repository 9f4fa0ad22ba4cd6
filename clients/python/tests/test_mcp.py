"""The official Python SDK of the Model Context Protocol as an agent's client."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx2
from cloud import AuthenticatedClient
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from test_cloud_edits import document, texts


class Tools:
    """The tools of the service by name."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, **arguments: Any) -> tuple[bool, dict[str, Any]]:
        """Whether the call succeeded, and its result."""
        result = await self.client.call_tool(name, arguments)
        assert len(result.model_dump_json(by_alias=True).encode()) <= 49_000, "an answer fits what clients take"
        structured: dict[str, Any] = result.structured_content or {}
        assert json.dumps(result.meta or {}).count("untrusted") > 0, "what it says is marked"
        answer: dict[str, Any] = structured.get("untrusted", structured)
        return not result.is_error, answer

    async def done(self, name: str, **arguments: Any) -> dict[str, Any]:
        is_done, answer = await self.call(name, **arguments)
        assert is_done, answer
        return answer

    async def propose(self, file_id: str, etag: str, text: str) -> dict[str, Any]:
        operations = [{"op": "insert_markdown", "markdown": text}]
        answer = await self.done("edit_document", file_id=file_id, if_match=etag, operations=operations)
        plan: dict[str, Any] = answer["plan"]
        return plan


def with_tools(client: AuthenticatedClient, work: Any) -> None:
    async def run() -> None:
        headers = {"Authorization": f"Bearer {client.token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            async with Client(streamable_http_client(f"{client._base_url}/mcp?structured=true", http_client=http)) as connected:
                await work(Tools(connected))

    asyncio.run(run())


def test_an_agent_reads_the_longest_document_page_by_page(cloud_client: AuthenticatedClient) -> None:
    name = f"Long {uuid4()}"
    said = [f"{index} " + "word " * 780 for index in range(190)]  # 750 kB, the most that there may be
    blocks = [{"type": "paragraph", "segments": [{"text": text}]} for text in said]
    body = {"name": name, "content": {"kind": "docs", "blocks": blocks}}
    headers = {"Idempotency-Key": str(uuid4())}
    assert cloud_client.get_httpx_client().post("/v1/documents", json=body, headers=headers).status_code == 200

    async def work(tools: Tools) -> None:
        listed = [tool.name for tool in (await tools.client.list_tools()).tools]
        assert {"search_files", "read_file", "edit_document", "apply_plan", "rebase_plan"} <= set(listed)
        found = await tools.done("search_files", name_contains=name)
        more: dict[str, Any] = {}
        read: list[str] = []
        while True:
            page = await tools.done("read_file", file_id=found["items"][0]["id"], **more)
            read += ["".join(part["text"] for part in block["segments"]) for block in page["content"]["blocks"]]
            if not page.get("next_cursor"):
                break
            more = {"cursor": page["next_cursor"]}
        assert read == said

    with_tools(cloud_client, work)


def test_an_agent_applies_once_and_comes_through_a_stale_plan(cloud_client: AuthenticatedClient) -> None:
    file = document(cloud_client, f"Tools {uuid4()}")

    async def work(tools: Tools) -> None:
        mine, theirs = await tools.propose(file.id, file.etag, "mine"), await tools.propose(file.id, file.etag, "theirs")
        apply = {"file_id": file.id, "plan_id": theirs["id"], "if_match": file.etag, "idempotency_key": str(uuid4())}
        applied, again = await tools.done("apply_plan", **apply), await tools.done("apply_plan", **apply)
        assert again["replayed"] and again["file"] == applied["file"]

        apply |= {"plan_id": mine["id"], "idempotency_key": str(uuid4())}
        for _ in range(5):
            is_done, answer = await tools.call("apply_plan", **apply)
            if is_done:
                return
            # Follow the next action of the error, whatever it is.
            name, arguments = answer["next_tool"]["name"], answer["next_tool"]["arguments"]
            if name == "rebase_plan":
                plan = (await tools.done(name, **arguments, idempotency_key=str(uuid4())))["plan"]
                apply |= {"plan_id": plan["id"], "if_match": plan["base_etag"]}
            else:
                apply |= {"if_match": (await tools.done(name, **arguments))["file"]["etag"]}
            apply |= {"idempotency_key": str(uuid4())}
        raise AssertionError("no end")

    with_tools(cloud_client, work)
    assert texts(cloud_client, file) == ["Begin at 9:30.", "theirs", "mine"]
