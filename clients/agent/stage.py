"""A workspace of its own for each run: the papers of a summer fair, and the people who share them."""

from dataclasses import dataclass, field
from random import randrange
from typing import Any

from people import Person

MINUTES = """# Minutes of the first meeting

Present: Ada, Bob and Carol.

## Decisions

The fair is on 12 June, from 10 to 17.

Agreed: Ada asks the town for the meadow.

Agreed: Bob borrows the van.

The band asks for 300.
"""
PROGRAMME = "# Programme\n\nDoors open at 10.\n\nThe music begins at 14.\n\nThe raffle is at 16.\n"
SPEECH = "# Opening speech\n\n" + "\n\n".join(f"Point {number}: thank the helpers of table {number}." for number in range(1, 10))
BUDGET = [
    ["Item", "Planned", "Spent", "Left"],
    ["Tents", "1200", "1180", "=B2-C2"],
    ["Food", "450", "512.50", "=B3-C3"],
    ["Music", "300", "0", "=B4-C4"],
    ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)", "=B5-C5"],
]
TICKETS = [["Day", "Sold"], ["Monday", "12"], ["Tuesday", "7"], ["Wednesday", "19"], ["Thursday", "31"], ["Friday", "44"]]


@dataclass
class Stage:
    """`ada` sets the stage and checks what was done; `bob` works beside the agent; `helper` is the agent over HTTP."""

    stack: dict[str, Any]
    workspace: str = field(default_factory=lambda: f"ws_{randrange(10_000, 1_000_000)}")
    ids: dict[str, str] = field(default_factory=dict)
    """Ids by a short name, for checks. The agent has to find them."""

    def __post_init__(self) -> None:
        self.ada = Person.named(self.stack, self.workspace, "user", "Ada")
        self.bob = Person.named(self.stack, self.workspace, "user", "Bob")
        self.helper = Person.named(self.stack, self.workspace, "agent", "Helper")
        self._files()

    def _files(self) -> None:
        ada, ids = self.ada, self.ids
        archive = ada.create("folders", "Archive 2025")
        for number in range(1, 9):
            ada.imported("markdown", f"Letter {number} of 2025", f"# Letter {number}\n\nDear helpers, thank you for 2025.", archive)
        ids["minutes"] = ada.imported("markdown", "Minutes of 3 March", MINUTES)
        ids["programme"] = ada.imported("markdown", "Programme of the day", PROGRAMME)
        ids["speech"] = ada.imported("markdown", "Opening speech, draft", SPEECH)
        ids["site"] = ada.imported("markdown", "Site plan", "# Site plan\n\nThe stage stands at the end of the gravel path.")
        ids["budget"] = ada.spreadsheet("Budget of the fair", "Budget", BUDGET)
        ids["tickets"] = ada.spreadsheet("Ticket sales", "Week 1", TICKETS)
        ids["poster"] = ada.create("publications", "Poster of the fair")
        ids["minutes folder"] = ada.create("folders", "All minutes")
        ids["invoice 1"] = ada.imported("markdown", "Invoice tents", "# Invoice\n\nTents: 1180")
        ids["invoice 2"] = ada.imported("markdown", "Invoice food", "# Invoice\n\nFood: 512.50")
        self._note("guests", "Guests with needs", "- Mrs Green: nuts\n- Tim: gluten", "allergies")
        self._note("packing 1", "Packing list", "- tape\n- lamps", "fair")
        self._note("packing 2", "Packing list of Bob", "- ropes\n- hammer", "fair")
        self._note("calls", "Calls", "- the mayor", "todo", "phone")
        self._note("errands", "Errands", "- stamps", "todo", "town")

    def _note(self, short: str, name: str, text: str, *tags: str) -> None:
        content = {"title": name, "content": text, "tags": list(tags), "pinned": False}
        self.ids[short] = self.ada.create("notes", name, content)
