"""Prints what each task costs, sums, and whether the goals are met."""

from dataclasses import dataclass, field, fields

from driver import Cost

CALLS, READ, LIST = 30, 24_000, 20_000
"""The ten tasks of the findings may take so many calls and read so many characters; the list of tools may have so many."""


@dataclass
class Section:
    title: str
    costs: list[Cost] = field(default_factory=list)
    not_done: int = 0

    @property
    def sum(self) -> Cost:
        return Cost(**{each.name: sum(getattr(cost, each.name) for cost in self.costs) for each in fields(Cost)})


@dataclass
class Report:
    tools: int
    """Characters of the list of tools."""
    sections: list[Section] = field(default_factory=list)

    def begin(self, title: str) -> None:
        if not self.sections:
            print(f"{'':<36}{'calls':>6}{'sent':>8}{'read':>8}{'ms':>8}")
        self.sections.append(Section(title))

    def task(self, name: str, cost: Cost, why_not: str | None) -> None:
        self.sections[-1].costs.append(cost)
        self.sections[-1].not_done += why_not is not None
        _line(name, cost, "done" if why_not is None else f"NOT DONE: {why_not}")

    def end(self) -> None:
        _line(self.sections[-1].title, self.sections[-1].sum)
        print()

    def summary(self) -> int:
        """Prints the goals and the last line; the number of tasks that are not done and of goals that are missed."""
        findings = self.sections[0]
        total = Section("all", [cost for section in self.sections for cost in section.costs])
        _line(total.title, total.sum)
        # What is not done costs nothing, so the goals are for all ten.
        spent, done = findings.sum, findings.not_done == 0
        goals = {
            f"the ten of the findings take {spent.calls} calls, at most {CALLS}": done and spent.calls <= CALLS,
            f"they read {spent.read} characters, at most {READ}": done and spent.read <= READ,
            f"the list of tools has {self.tools} characters, at most {LIST}": self.tools <= LIST,
        }
        for goal, is_met in goals.items():
            print(f"{'met' if is_met else 'MISSED'}: {goal}")
        if not done:
            print(f"not all of the ten are done: {findings.not_done} are not")
        print(f"with the list of tools once, they read {spent.read + self.tools} characters")
        failed = sum(section.not_done for section in self.sections) + list(goals.values()).count(False)
        print(f"{len(total.costs) + len(goals) - failed} passed, {failed} failed")
        return failed


def _line(what: str, cost: Cost, outcome: str = "") -> None:
    print(f"{what:<36}{cost.calls:>6}{cost.sent:>8}{cost.read:>8}{cost.ms:>8.0f}  {outcome}".rstrip())
