"""The agent's session: it calls tools over the official SDK, and counts what each task costs."""

import json
import os
import time
from dataclasses import dataclass, field
from typing import Any

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from said import Call, Said


@dataclass
class Cost:
    calls: int = 0
    sent: int = 0
    """Characters of names and arguments, which a model writes."""
    read: int = 0
    """Characters of results, which a model reads."""
    ms: float = 0


class NotDone(Exception):
    """The tools do not lead to the end of the task."""


@dataclass
class Agent:
    client: Client
    cost: Cost = field(default_factory=Cost)
    memory: dict[str, Any] = field(default_factory=dict)
    """What the agent knows from earlier in the conversation."""

    async def call(self, tool: str, **arguments: Any) -> Said:
        self.cost.calls += 1
        self.cost.sent += len(json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False))
        began = time.perf_counter()
        try:
            result = await self.client.call_tool(tool, arguments)
        except MCPError as error:
            raise NotDone(str(error)) from error
        self.cost.ms += (time.perf_counter() - began) * 1000
        text = "\n".join(getattr(block, "text", "") for block in result.content)
        self.cost.read += len(text)
        if "SHOW" in os.environ:
            print(f"\n> {tool} {json.dumps(arguments, ensure_ascii=False)}\n{text}\n")
        return Said(text)

    async def done(self, tool: str, **arguments: Any) -> Said:
        """A call that must succeed."""
        said = await self.call(tool, **arguments)
        if said.refused:
            raise NotDone(f"{tool}: {said.refused}")
        return said

    async def reach(self, goal: str, call: Call | None) -> Said:
        """Follows the `Next` of each result, refusals too, until the tool `goal` succeeds."""
        said: Said | None = None
        stale: Call | None = None
        for _ in range(8):
            if call is None:
                raise NotDone(f"nothing leads to {goal}" + (f": {said.text}" if said else ""))
            said = await self.call(call.tool, **call.arguments)
            if call.tool == goal and not said.refused:
                return said
            if said.refused and "if_match" in call.arguments:
                stale = call
            follows = said.next
            if follows is None and stale and not said.refused and said.line("if_match: "):
                # It was sent to read the file, whose tag was old: the same call with the current one.
                follows = stale._replace(arguments=stale.arguments | {"if_match": said.if_match})
            call = follows
        raise NotDone(f"the results lead in circles, and never to {goal}")
