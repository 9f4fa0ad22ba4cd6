"""Ten tasks of a working day, each a conversation of its own."""

import re

import httpx2

from driver import Agent, NotDone
from stage import Stage
from tasks_found import computed, whole_sheet

SECOND_MINUTES = """# Minutes of 10 March

Present: Ada, Bob.

## Decisions

1. The raffle costs 2.
2. Carol paints the signs.
"""


async def find_a_phrase(agent: Agent, stage: Stage) -> None:
    """Which paper speaks of the gravel path?"""
    found = await agent.done("search_content", text="gravel path")

    assert found.files() == [stage.ids["site"]] and "gravel" in found.quoted, found.text


async def total_a_column(agent: Agent, stage: Stage) -> None:
    """Write the total of the tickets sold under the column."""
    found = (await agent.done("search_files", name_contains="ticket")).row(type="spreadsheet")
    sheet, cells = await whole_sheet(agent, found["id"])
    last = max(int(address[1:]) for address in cells)
    total = {"op": "set_cells", "range": f"{sheet}!A{last + 1}:B{last + 1}", "values": [["Total", f"=SUM(B2:B{last})"]]}
    planned = await agent.done("edit_spreadsheet", file_id=found["id"], if_match=found["if_match"], operations=[total])
    await agent.reach("apply_plan", planned.next)

    assert computed(stage, "tickets", "Week 1", "A7:B7") == {"A7": "Total", "B7": 113}


async def merge_two_notes(agent: Agent, stage: Stage) -> None:
    """Put Bob's packing list into ours, and throw his away."""
    found = await agent.done("search_files", name_contains="packing", type="note")
    ours, bobs = sorted(found.rows(), key=lambda row: "Bob" in row["name"])
    items = [line for line in (await agent.done("read_file", file_id=bobs["id"])).quoted.splitlines() if line.startswith("- ")]
    planned = await agent.done("edit_note", file_id=ours["id"], if_match=ours["if_match"],
                               operations=[{"op": "append_markdown", "markdown": "\n".join(items)}])
    await agent.reach("apply_plan", planned.next)
    await agent.done("trash_or_restore", file_id=bobs["id"], if_match=bobs["if_match"], action="trash")

    note = stage.ada.get(f"/v1/notes/{stage.ids['packing 1']}")["content"]["content"]
    assert [line for line in note.splitlines() if line] == ["- tape", "- lamps", "- ropes", "- hammer"], note
    assert stage.ada.file(stage.ids["packing 2"])["state"] == "trashed"


async def bring_a_stale_plan_up_to_date(agent: Agent, stage: Stage) -> None:
    """You proposed to move the raffle. Bob has changed the programme since. Finish it."""
    blocks = stage.ada.get(f"/v1/documents/{stage.ids['programme']}")["content"]["blocks"]
    replaced = {"op": "replace_text", "block_id": blocks[3]["id"], "find": "16", "replace": "15", "expected_count": 1}
    stage.helper.propose(stage.ids["programme"], replaced)
    stage.bob.replace(stage.ids["programme"], "Doors open at 10.", "Doors open at 9.")

    mine = (await agent.done("list_plans", **{"for": "mine"})).row(file="Programme")
    plan = await agent.done("get_plan", file_id=mine["file_id"], plan_id=mine["plan_id"])
    await agent.reach("apply_plan", plan.next)

    assert stage.ada.texts(stage.ids["programme"])[1:] == ["Doors open at 9.", "The music begins at 14.", "The raffle is at 15."]


async def undo_what_another_did(agent: Agent, stage: Stage) -> None:
    """Bob's last change of the site plan was a mistake. Take it back."""
    stage.bob.replace(stage.ids["site"], "at the end of the gravel path", "in the pond")

    found = (await agent.done("search_files", name_contains="site plan")).row(type="document")
    versions = (await agent.done("list_versions", file_id=found["id"])).rows()
    before = next(version for version, later in zip(versions[1:], versions, strict=False) if later["by"] == "Bob")
    await agent.done("restore_version", file_id=found["id"], version_id=before["version_id"], if_match=found["if_match"])

    assert stage.ada.texts(stage.ids["site"])[1] == "The stage stands at the end of the gravel path."


async def reject_a_plan_with_a_reason(agent: Agent, stage: Stage) -> None:
    """A plan waits for you. If it raises what we pay the band, say no, and why."""
    plan = stage.bob.propose(stage.ids["tickets"], {"op": "set_cells", "range": "A1", "sheet": "Week 1", "values": [["Band: 900"]]})
    path = f"/v1/files/{stage.ids['tickets']}/edit-plans/{plan['id']}"
    stage.bob.post(f"{path}/request-review", {"note": "More for the band."})

    waiting = (await agent.done("list_plans", **{"for": "me"})).row(by="Bob")
    shown = await agent.done("get_plan", file_id=waiting["file_id"], plan_id=waiting["plan_id"])
    assert "900" in shown.quoted, shown.text
    await agent.done("reject_plan", file_id=waiting["file_id"], plan_id=waiting["plan_id"], reason="The band agreed to 350.")

    plan = stage.ada.get(path)["plan"]
    assert (plan["state"], plan["review"]["reason"]) == ("rejected", "The band agreed to 350."), plan


async def import_a_minute(agent: Agent, stage: Stage) -> None:
    """File these minutes, which are Markdown, with all the others."""
    folder = (await agent.done("search_files", name_contains="minutes", type="folder")).row(name="All minutes")
    await agent.done("create_file", type="document", name="Minutes of 10 March", parent_id=folder["id"], text=SECOND_MINUTES)

    [file] = stage.ada.get("/v1/search", name_contains="10 March")["items"]
    assert file["parent_id"] == stage.ids["minutes folder"]
    kinds = [block["type"] for block in stage.ada.get(f"/v1/documents/{file['id']}")["content"]["blocks"]]
    assert kinds == ["heading1", "paragraph", "heading2", "number", "number"], kinds


async def clean_up_tags(agent: Agent, stage: Stage) -> None:
    """The tag is “to do” from now on, not “todo”."""
    for file_id in (await agent.done("search_content", tag="todo")).files():
        looked = await agent.done("get_file", file_id=file_id)
        tags = re.search(r"^tags: (.*)$", looked.quoted, re.MULTILINE)
        if tags is None:
            raise NotDone("get_file shows no tags")
        renamed = ["to do" if tag == "todo" else tag for tag in tags[1].split(", ")]
        planned = await agent.done("edit_note", file_id=file_id, if_match=looked.if_match,
                                   operations=[{"op": "set_tags", "tags": renamed}])
        await agent.reach("apply_plan", planned.next)

    for short, other in (("calls", "phone"), ("errands", "town")):
        assert stage.ada.get(f"/v1/notes/{stage.ids[short]}")["content"]["tags"] == ["to do", other]


async def answer_a_comment(agent: Agent, stage: Stage) -> None:
    """Somebody asks something about the programme. Answer, and close the question."""
    stage.bob.post(f"/v1/files/{stage.ids['programme']}/comments", {"text": "When does the music begin?"})

    found = (await agent.done("search_files", name_contains="programme")).row(type="document")
    question = (await agent.done("list_comments", file_id=found["id"], status="open")).row(text="music")
    read = await agent.done("read_file", file_id=found["id"])
    fact = read.blocks()[read.block("music")]
    file_id, comment_id, if_match = found["id"], question["id"], question["if_match"]
    await agent.done("add_comment", file_id=file_id, text=fact, parent_comment_id=comment_id)
    await agent.done("change_comment", file_id=file_id, comment_id=comment_id, if_match=if_match, action="resolve")

    comments = stage.ada.get(f"/v1/files/{stage.ids['programme']}/comments")["items"]
    said = {comment["text"]: comment["status"] for comment in comments}
    assert said["When does the music begin?"] == "resolved" and "The music begins at 14." in said, comments


async def hand_out_a_file_by_link(agent: Agent, stage: Stage) -> None:
    """Give me a link to the poster that works without signing in."""
    found = (await agent.done("search_files", name_contains="poster")).row(type="publication")
    link = await agent.done("download_link", file_id=found["id"])
    url = re.search(r"https?://\S+", link.own)
    assert url, link.text

    # The local stack's links are https with a certificate of its own.
    answer = httpx2.get(url[0], verify=False)
    assert answer.status_code == 200 and answer.content, answer.text


TASKS = [
    find_a_phrase,
    total_a_column,
    merge_two_notes,
    bring_a_stale_plan_up_to_date,
    undo_what_another_did,
    reject_a_plan_with_a_reason,
    import_a_minute,
    clean_up_tags,
    answer_a_comment,
    hand_out_a_file_by_link,
]
