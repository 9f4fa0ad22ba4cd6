"""What a tool said, read as a program may read it: the service's own lines, and the block of what others wrote."""

import html
import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BLOCK = re.compile(r'<untrusted id="\w+">\n(?P<text>.*?)\n</untrusted>', re.DOTALL)
CALL = re.compile(r"^(Next|Undo): (\w+) (\{.*\})$", re.MULTILINE)


class Call(NamedTuple):
    tool: str
    arguments: dict[str, Any]


@dataclass
class Said:
    """`own` is what the service says, `quoted` what others wrote: no call is ever taken from there."""

    text: str
    own: str = field(init=False)
    quoted: str = field(init=False)

    def __post_init__(self) -> None:
        self.quoted = "\n".join(html.unescape(match["text"]) for match in BLOCK.finditer(self.text))
        self.own = html.unescape(BLOCK.sub("", self.text))

    def line(self, label: str) -> str | None:
        """The rest of the first line of the service that begins with `label`."""
        found = re.search(rf"^{re.escape(label)}(.*)$", self.own, re.MULTILINE)
        return found[1].strip() if found else None

    @property
    def refused(self) -> str | None:
        return self.line("refused ")

    @property
    def if_match(self) -> str:
        tag = self.line("if_match: ")
        assert tag, f"no if_match in: {self.text}"
        return tag

    def _calls(self, label: str) -> list[Call]:
        found = CALL.findall(self.own)
        return [Call(tool, json.loads(arguments)) for which, tool, arguments in found if which == label]

    @property
    def next(self) -> Call | None:
        return next(iter(self._calls("Next")), None)

    @property
    def undo(self) -> Call | None:
        return next(iter(self._calls("Undo")), None)

    def rows(self) -> list[dict[str, str]]:
        """The lines of a list, by the names in its first line."""
        lines = [line.split("\t") for line in self.quoted.splitlines()]
        return [dict(zip(lines[0], columns, strict=False)) for columns in lines[1:]]

    def row(self, **wanted: str) -> dict[str, str]:
        """The one line whose columns contain these texts."""
        found = [row for row in self.rows() if all(text in row.get(column, "") for column, text in wanted.items())]
        assert len(found) == 1, f"{len(found)} lines with {wanted} in: {self.text}"
        return found[0]

    def files(self) -> list[str]:
        """The ids of the files in a list, each once."""
        ids = [row.get("file_id") or row.get("id", "") for row in self.rows()]
        return [id for id in dict.fromkeys(ids) if id.startswith("file_")]

    def blocks(self) -> dict[str, str]:
        """The blocks of a document as Markdown, by id."""
        return dict(re.findall(r"^\[([\w-]+)\] ?(.*(?:\n(?!\[).*)*)", self.quoted, re.MULTILINE))

    def block(self, containing: str) -> str:
        """The id of the one block with this text."""
        found = [id for id, text in self.blocks().items() if containing in text]
        assert len(found) == 1, f"{len(found)} blocks with {containing!r} in: {self.text}"
        return found[0]

    def sheet(self) -> str:
        """The name of the first sheet, whose cells `read_file` shows."""
        return self.quoted.splitlines()[0].rsplit("!", 1)[0]

    def cells(self) -> dict[str, str]:
        """Cells of the first sheet by address: its range, a line of columns, then lines that begin with their number."""
        _, columns, *lines = [line.split("\t") for line in self.quoted.split("\n\n")[0].splitlines()]
        cells = (zip(columns[1:], line[1:], strict=False) for line in lines)
        return {f"{column}{line[0]}": text for line, row in zip(lines, cells, strict=True) for column, text in row}
