"""Does twenty tasks as a scripted agent, without a model, and prints what they cost. `run` starts a stack for it."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

import tasks_daily
import tasks_found
from driver import Agent, Cost, NotDone
from people import token
from report import Report
from stage import Stage

Task = Callable[[Agent, Stage], Awaitable[None]]


async def why_not(task: Task, agent: Agent, stage: Stage) -> str | None:
    """Does a task; the reason if it is not done."""
    try:
        await task(agent, stage)
    except (NotDone, AssertionError, LookupError, ValueError) as why:
        return " ".join(str(why).split())[:200] or type(why).__name__
    return None


async def attempt(title: str, tasks: Sequence[Task], agent: Agent, stage: Stage, report: Report, *, as_one: bool) -> None:
    """Does tasks: as one conversation, in which the agent remembers, or each in its own."""
    report.begin(title)
    for task in tasks:
        agent.cost = Cost()
        if not as_one:
            agent.memory = {}
        reason = await why_not(task, agent, stage)
        report.task(task.__name__.replace("_", " "), agent.cost, reason)
    report.end()


async def main() -> int:
    stack = json.loads(Path(os.environ["STACK"]).read_text())
    stage = Stage(stack)
    headers = {"Authorization": f"Bearer {token(stack, stage.workspace, 'agent', 'Helper')}"}
    url = f"{stack['surfaces']['cloud']['base_url']}/mcp"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        tools = json.loads((await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True))["tools"]
        report = Report(len(json.dumps(tools, ensure_ascii=False, separators=(",", ":"))))
        print(f"list of tools: {len(tools)} tools, {report.tools} characters\n")
        agent = Agent(client)
        await attempt("the ten of the findings", tasks_found.TASKS, agent, stage, report, as_one=True)
        await attempt("ten of a day", tasks_daily.TASKS, agent, stage, report, as_one=False)
    return 1 if report.summary() else 0


sys.exit(asyncio.run(main()))
