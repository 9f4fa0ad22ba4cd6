"""The tools of 0.1.0 behind the names of today's, so that the same tasks measure both."""

import json
from typing import Any
from uuid import uuid4

from driver import Agent, NotDone
from said import Said

# Today's name, and the one it had. What is not here had no tool.
NAMES = {
    "search_files": "search_files", "list_folder": "list_folder", "get_file": "get_file", "get_plan": "get_plan",
    "list_plans": "list_plans", "list_comments": "list_comments", "list_changes": "list_changes", "apply_plan": "apply_plan",
    "rebase_plan": "rebase_plan", "request_review": "request_review", "add_comment": "add_comment",
    "change_comment": "resolve_comment", "move_or_rename": "move_or_rename", "trash_or_restore": "trash_or_restore",
    "edit_document": "propose_edits", "edit_note": "propose_edits", "edit_spreadsheet": "propose_edits",
}
READS = {"document": "read_document", "note": "read_note", "spreadsheet": "read_spreadsheet"}


class AgentBefore(Agent):
    """Reads the structured content and writes what it says in today's form; counts what was sent and read before."""

    async def call(self, tool: str, **arguments: Any) -> Said:
        if tool == "recent_changes":
            return await self._changes()
        if tool == "create_file" and arguments["type"] == "folder":
            name, arguments = "create_folder", {"name": arguments["name"]}
        elif tool == "create_file":
            name, arguments = "import_text", {"format": "markdown"} | {k: v for k, v in arguments.items() if k != "type"}
        elif tool == "read_file":
            name, arguments = await self._reading(arguments)
        elif tool in NAMES:
            name = NAMES[tool]
        else:
            if tool not in READS.values():
                raise NotDone(f"there is no tool {tool}")
            name = tool
        body, text = await self._structured(name, arguments)
        kinds = self.memory.setdefault("kinds", {})
        kinds |= {item["id"]: item["type"] for item in body.get("items", []) if "type" in item}
        return _said(body, text)

    async def _structured(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], str]:
        arguments = dict(arguments)
        if "operations" in arguments:
            arguments["operations"] = [_operation(operation) for operation in arguments["operations"]]
        if "if_match" in arguments:
            arguments["if_match"] = f'"{arguments["if_match"].strip(chr(34))}"'
        if name not in {*READS.values(), "search_files", "list_folder", "get_file", "get_plan", "list_plans", "list_comments", "list_changes"}:
            arguments["idempotency_key"] = str(uuid4())
        if name == "add_comment" and "range" in arguments:
            arguments["anchor"] = {"range": arguments.pop("range")}
        if name == "resolve_comment":
            arguments.pop("action")
        said = await super().call(name, **arguments)
        return self.last_structured, said.text

    async def _reading(self, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        kinds = self.memory.setdefault("kinds", {})
        if arguments["file_id"] not in kinds:
            raise NotDone("the type of the file is not known")
        name = READS[kinds[arguments["file_id"]]]
        if name == "read_document":
            arguments = arguments | {"view": "blocks"}
        if "!" in arguments.get("range", ""):
            sheet, _, range = arguments["range"].partition("!")
            arguments = arguments | {"sheet": sheet, "range": range, "computed": "true"}
        return name, arguments

    async def _changes(self) -> Said:
        rows: list[dict[str, Any]] = []
        more: dict[str, Any] = {}
        while True:
            body, _ = await self._structured("list_changes", {"limit": 100} | more)
            rows += body["items"]
            if not body["has_more"]:
                break
            more = {"cursor": body["next_cursor"]}
        return _table(["file_id", "change"], [[row["file_id"], row["type"]] for row in reversed(rows)])


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    if operation["op"] == "replace_text":
        operation = {"expected_count": 1} | operation
    sheet, bang, range = operation.get("range", "").partition("!")
    return operation | {"sheet": sheet, "range": range} if bang else operation


def _table(header: list[str], rows: list[list[str]], own: str = "") -> Said:
    lines = ["\t".join(column or "" for column in row) for row in [header, *rows]]
    return Said(f'{own}\n<untrusted id="x">\n' + "\n".join(lines) + '\n</untrusted id="x">')


def _said(body: dict[str, Any], text: str) -> Said:
    own = []
    if error := body.get("error"):
        own.append(f"refused {error['code']}: {error['message']}")
    if call := body.get("next_tool"):
        own.append(f"Next: {call['name']} {json.dumps(call['arguments'])}")
    elif plan := body.get("plan"):
        arguments = {"file_id": plan["file_id"], "plan_id": plan["id"]}
        tag = {"if_match": plan["base_etag"]}
        if plan["state"] in ("proposed", "approved"):
            own.append(f"Next: {'rebase_plan' if plan['stale'] else 'apply_plan'} {json.dumps(arguments | tag)}")
        elif plan["state"] == "in_review":
            own.append(f"Next: apply_plan {json.dumps(arguments | tag)}")
    if file := body.get("file"):
        own += [f"{file['type']} {file['id']}", f"if_match: {file['etag']}"]
    lines = "\n".join(own)
    if items := body.get("items"):
        if "status" in items[0]:
            return _table(["id", "if_match", "text"], [[item["id"], item["etag"], item["text"]] for item in items])
        if "proposal_sha256" in items[0]:
            return _table(["plan_id", "file_id", "by", "file"], [[i["id"], i["file_id"], i["actor"]["display_name"], i["file_name"]] for i in items])
        return _table(["id", "type", "if_match", "name"], [[item["id"], item["type"], item["etag"], item["name"]] for item in items])
    if sheets := body.get("sheets"):
        return _table(["sheet", "rows", "columns"], [[s["name"], str(s["rows"]), str(s["columns"])] for s in sheets], lines)
    if range := body.get("range"):
        names = [cell["cell"].rstrip("0123456789") for cell in range["rows"][0]]
        rows = [[row[0]["cell"].lstrip("ABCDEFGHIJ"), *(cell["value"] for cell in row)] for row in range["rows"]]
        said = _table(["", *names], rows, lines)
        return Said(said.text.replace('id="x">\n', 'id="x">\nplace\n', 1))
    blocks = (body.get("content") or {}).get("blocks")
    if blocks is not None:
        shown = [f"[{b['id']}] " + "".join(s["text"] for s in b["segments"]) for b in blocks]
        return Said(f'{lines}\n<untrusted id="x">\n' + "\n".join(shown) + '\n</untrusted id="x">')
    return Said(f'{lines}\n<untrusted id="x">\n{body.get("markdown") or json.dumps(body)}\n</untrusted id="x">')
