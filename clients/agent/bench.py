"""Does twenty tasks as a scripted agent, without a model, and prints what they cost.

`bench agent` for short: `clients/agent/run` starts a stack and runs it.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import fields
from pathlib import Path

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

import tasks_daily
import tasks_found
from driver import Agent, Cost, NotDone
from people import token
from stage import Stage

Task = Callable[[Agent, Stage], Awaitable[None]]

CALLS, CHARACTERS, LIST = 30, 24_000, 20_000
"""What the ten tasks of the findings may cost together: calls, characters of results; and what the list of tools may."""


def add(costs: list[Cost]) -> Cost:
    return Cost(**{each.name: sum(getattr(cost, each.name) for cost in costs) for each in fields(Cost)})


def show(what: str, cost: Cost, outcome: str) -> None:
    print(f"{what:<36}{cost.calls:>6}{cost.sent:>8}{cost.read:>8}{cost.ms:>8.0f}  {outcome}")


async def attempt(task: Task, agent: Agent, stage: Stage) -> bool:
    agent.cost = Cost()
    try:
        await task(agent, stage)
        outcome = "done"
    except (NotDone, AssertionError, LookupError, ValueError) as why:
        outcome = f"NOT DONE: {' '.join(str(why).split())[:200] or type(why).__name__}"
    show(task.__name__.replace("_", " "), agent.cost, outcome)
    return outcome == "done"


async def main() -> int:
    stack = json.loads(Path(os.environ["STACK"]).read_text())
    stage = Stage(stack)
    headers = {"Authorization": f"Bearer {token(stack, stage.workspace, 'agent', 'Helper')}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{stack['surfaces']['cloud']['base_url']}/mcp", http_client=http)) as client,
    ):
        listed = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)
        tools = len(json.dumps(json.loads(listed)["tools"], ensure_ascii=False, separators=(",", ":")))
        print(f"list of tools: {len(json.loads(listed)['tools'])} tools, {tools} characters\n")
        print(f"{'task':<36}{'calls':>6}{'sent':>8}{'read':>8}{'ms':>8}")
        failed = 0
        sums = []
        for title, tasks in (("the ten of the findings", tasks_found.TASKS), ("ten of a day", tasks_daily.TASKS)):
            agent = Agent(client)
            costs = []
            for task in tasks:
                if tasks is tasks_daily.TASKS:
                    agent.memory = {}
                failed += not await attempt(task, agent, stage)
                costs.append(agent.cost)
            sums.append(add(costs))
            show(title, sums[-1], "")
            print()
        show("all", add(sums), f"{20 - failed} done, {failed} not done")
    read = sums[0].read
    goals = {
        f"the ten of the findings take {sums[0].calls} calls, at most {CALLS}": sums[0].calls <= CALLS,
        f"they read {read} characters of results, at most {CHARACTERS}": read <= CHARACTERS,
        f"the list of tools has {tools} characters, at most {LIST}": tools <= LIST,
    }
    for goal, is_met in goals.items():
        print(f"{'met' if is_met else 'MISSED'}: {goal}")
        failed += not is_met
    print(f"with the list of tools once, they read {read + tools} characters")
    print(f"{20 + len(goals) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))
