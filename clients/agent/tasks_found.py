"""Ten tasks of one conversation. An agent without these tools failed at them or paid dearly for them."""

from driver import Agent, NotDone
from stage import Stage

LETTER = "# Thank you\n\nDear **helpers**,\n\n- the fair was a success\n- see you next year\n"


async def put_a_row_into_the_budget(agent: Agent, stage: Stage) -> None:
    """Put printing at 120 into the budget. The totals must be right."""
    found = (await agent.done("search_files", name_contains="budget")).row(type="spreadsheet")
    sheet, cells = await whole_sheet(agent, found["id"])
    last = next(int(address[1:]) for address, text in cells.items() if text == "Total") - 1
    # Within the summed rows, so that the sums grow.
    planned = await agent.done("edit_spreadsheet", file_id=found["id"], if_match=found["if_match"], operations=[
        {"op": "insert_rows", "sheet": sheet, "row": last, "count": 1},
        {"op": "set_cells", "range": f"{sheet}!A{last}:C{last}", "values": [["Printing", "120", "0"]]},
        {"op": "fill", "sheet": sheet, "from": f"D{last + 1}", "range": f"D{last}"},
    ])
    await agent.reach("apply_plan", planned.next)
    agent.memory["budget"] = (found["id"], f"{sheet}!B{last + 2}")

    values = computed(stage, "budget", "Budget", "A1:D6")
    assert (values["A6"], values["B6"], values["D6"]) == ("Total", 2070, 377.5), values


async def whole_sheet(agent: Agent, file_id: str) -> tuple[str, dict[str, str]]:
    """The name and the cells of the first sheet."""
    read = await agent.done("read_file", file_id=file_id)
    return read.sheet(), read.cells()


def computed(stage: Stage, short: str, sheet: str, range: str) -> dict[str, str | float]:
    """Computed values by cell, numbers as numbers."""
    read = stage.ada.get(f"/v1/spreadsheets/{stage.ids[short]}/range", sheet=sheet, range=range, computed="true")
    cells = [cell for row in read["range"]["rows"] for cell in row]
    values = {cell["cell"]: (cell.get("computed") or {}).get("value", cell["value"]) for cell in cells}
    is_number = {address: str(value).replace(".", "", 1).isdigit() for address, value in values.items()}
    return {address: float(value) if is_number[address] else value for address, value in values.items()}


async def add_the_actions_to_the_minutes(agent: Agent, stage: Stage) -> None:
    """Add a list of what was agreed at the end of the minutes."""
    found = (await agent.done("search_files", name_contains="minutes", type="document")).row(name="3 March")
    read = await agent.done("read_file", file_id=found["id"])
    agreed = [text.removeprefix("Agreed: ") for text in read.blocks().values() if text.startswith("Agreed: ")]
    markdown = "## Actions\n\n" + "\n".join(f"- {text}" for text in agreed)
    planned = await agent.done("edit_document", file_id=found["id"], if_match=read.if_match,
                               operations=[{"op": "insert_markdown", "markdown": markdown}])
    applied = await agent.reach("apply_plan", planned.next)
    agent.memory |= {"minutes": found["id"], "undo": applied.undo}

    assert stage.ada.texts(stage.ids["minutes"])[-3:] == ["Actions", "Ada asks the town for the meadow.", "Bob borrows the van."]


async def undo_what_i_just_did(agent: Agent, stage: Stage) -> None:
    """No, take that back."""
    undo = agent.memory.get("undo")
    if undo is None:
        raise NotDone("the result of apply_plan names no tool that undoes it")
    await agent.done(undo.tool, **undo.arguments)

    assert stage.ada.texts(stage.ids["minutes"])[-1] == "The band asks for 300."


async def find_the_note_with_a_tag(agent: Agent, stage: Stage) -> None:
    """Which note has the tag “allergies”?"""
    found = await agent.done("search_content", tag="allergies")

    assert found.files() == [stage.ids["guests"]], found.text


async def edit_while_another_does(agent: Agent, stage: Stage) -> None:
    """The band asks for 350 now. Meanwhile Bob changes the hours."""
    read = await agent.done("read_file", file_id=agent.memory["minutes"])
    replaced = {"op": "replace_text", "block_id": read.block("The band asks"), "find": "300", "replace": "350"}
    planned = await agent.done("edit_document", file_id=agent.memory["minutes"], if_match=read.if_match, operations=[replaced])
    stage.bob.replace(stage.ids["minutes"], "from 10 to 17", "from 9 to 17")
    await agent.reach("apply_plan", planned.next)

    texts = stage.ada.texts(stage.ids["minutes"])
    assert "The band asks for 350." in texts and "The fair is on 12 June, from 9 to 17." in texts, texts


async def comment_on_the_total(agent: Agent, stage: Stage) -> None:
    """Remark on the planned total that the town pays half."""
    file_id, cell = agent.memory["budget"]
    await agent.done("add_comment", file_id=file_id, range=cell, text="The town pays half of this.")

    [comment] = stage.ada.get(f"/v1/files/{stage.ids['budget']}/comments")["items"]
    assert (comment["anchor"]["range"], comment["text"]) == ("Budget!B6", "The town pays half of this."), comment


async def write_a_letter_in_markdown(agent: Agent, stage: Stage) -> None:
    """Make a document of this letter, which is Markdown."""
    await agent.done("create_file", type="document", name="Thank-you letter", text=LETTER)

    [file] = stage.ada.get("/v1/search", name_contains="Thank-you")["items"]
    kinds = [block["type"] for block in stage.ada.get(f"/v1/documents/{file['id']}")["content"]["blocks"]]
    assert kinds == ["heading1", "paragraph", "bullet", "bullet"], kinds


async def sort_the_invoices(agent: Agent, stage: Stage) -> None:
    """The invoices lie at the top. Put them into a folder of their own."""
    listed = await agent.done("list_folder", parent_id="root")
    folder = await agent.done("create_file", type="folder", name="Invoices")
    parent = (folder.line("folder ") or "").split()[0]
    for row in listed.rows():
        if row["name"].startswith("Invoice "):
            await agent.done("move_or_rename", file_id=row["id"], if_match=row["if_match"], parent_id=parent)

    parents = {stage.ada.file(stage.ids[short])["parent_id"] for short in ("invoice 1", "invoice 2")}
    assert len(parents) == 1 and None not in parents
    assert stage.ada.file(str(parents.pop()))["name"] == "Invoices"


async def tell_what_happened_last(agent: Agent, stage: Stage) -> None:
    """What happened last?"""
    recent = await agent.done("recent_changes", limit=5)

    assert recent.rows()[0]["file_id"] in (stage.ids["invoice 1"], stage.ids["invoice 2"]), recent.text


async def delete_nearly_all_of_a_document(agent: Agent, stage: Stage) -> None:
    """Empty the draft of the speech but for its title. A person must agree."""
    found = (await agent.done("search_files", name_contains="speech")).row(type="document")
    read = await agent.done("read_file", file_id=found["id"])
    points = [id for id, text in read.blocks().items() if text.startswith("Point ")]
    planned = await agent.done("edit_document", file_id=found["id"], if_match=read.if_match,
                               operations=[{"op": "delete_block", "block_id": id} for id in points])
    in_review = await agent.reach("request_review", planned.next)
    [plan] = stage.ada.get("/v1/edit-plans", **{"for": "me", "state": "in_review"})["items"]
    stage.ada.post(f"/v1/files/{stage.ids['speech']}/edit-plans/{plan['id']}/approve", {})
    await agent.reach("apply_plan", in_review.next)

    assert stage.ada.texts(stage.ids["speech"]) == ["Opening speech"]


TASKS = [
    put_a_row_into_the_budget,
    add_the_actions_to_the_minutes,
    undo_what_i_just_did,
    find_the_note_with_a_tag,
    edit_while_another_does,
    comment_on_the_total,
    write_a_letter_in_markdown,
    sort_the_invoices,
    tell_what_happened_last,
    delete_nearly_all_of_a_document,
]
