#!/usr/bin/python3
"""Compares formulas and values with LibreOffice Calc. `./test oracle` runs it.

Reads cases from the example `oracle` of cloud-content, does the same in one headless Calc, and prints what differs.
"""

import argparse
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

import libreoffice
from libreoffice import named
# After the line above, which loads the bridge for such imports.
from com.sun.star.table import CellAddress

# Calc's numbers of errors. The 5xx that are not here are formulas with wrong arguments.
ERRORS = {503: "#NUM!", 522: "#CYCLE!", 523: "#CYCLE!", 524: "#REF!", 532: "#DIV/0!"}
TOKEN = re.compile(r'''"(?:[^"]|"")*"|'(?:[^']|'')*'!|[^\W\d][\w.]*!|[^\W\d][\w.]*|#REF!|.''', re.S)
ANSWER_SECONDS = 60
# Cases of one process of our program.
BLOCK = 500
WHICH_ERROR = "which of several errors (known)"


def to_calc(formula):
    """Our formula in the syntax of Calc's interface: `$Budget.A1`, `;`, `TRUE()`."""
    out = []
    for token in TOKEN.findall(formula):
        if token[0] == '"' or token == "#REF!":
            out.append(token)
        elif token.endswith("!"):
            out.append(f"${token[:-1]}.")
        elif token == ",":
            out.append(";")
        elif token.upper() in ("TRUE", "FALSE"):
            out.append(f"{token.upper()}()")
        else:
            out.append(token)
    return "".join(out)


REFERENCE = re.compile(r'''"(?:[^"]|"")*"|(?:\$?(?:'(?:[^']|'')*'|#REF!|\w+)\.)?'''
                       r'''(?:[$A-Z0-9]|#REF!)+(?::(?:[$A-Z0-9]|#REF!)+)?''')
RANGE = re.compile(r"(.*\.)?(\$?[A-Z]+)?(\$?[0-9]+)?:(\$?[A-Z]+)?(\$?[0-9]+)?")
QUOTED_WORD = re.compile(r"\$'([^\W\d]\w*)'\.")


def alike(formula):
    """Writes every reference to deleted cells or sheets as `#REF!`, as Excel does and as we do."""
    return REFERENCE.sub(lambda found: found[0] if found[0][0] == '"' else alike_reference(found[0]),
                         QUOTED_WORD.sub(r"$\1.", formula))


def alike_reference(text):
    if "#REF!" in text:
        return "#REF!"
    # A copy can turn the ends of a range around, and Calc then writes the smaller one first.
    ends = RANGE.fullmatch(text)
    if not ends:
        return text
    sheet, *parts = ends.groups(default="")
    columns = sorted((parts[0], parts[2]), key=lambda part: (len(part.lstrip("$")), part.lstrip("$"), part))
    rows = sorted((parts[1], parts[3]), key=lambda part: (int(part.lstrip("$") or 0), part))
    return f"{sheet}{columns[0]}{rows[0]}:{columns[1]}{rows[1]}"


class Calc:
    """One headless Calc with one document, started again when it hangs or dies."""

    def __init__(self):
        self.place = tempfile.mkdtemp(prefix="oracle-")
        self.process = None

    def start(self):
        self.stop()
        self.process, context = libreoffice.start(self.place)
        services = context.ServiceManager
        self.expand_references(services, context)
        desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.document = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (named("Hidden", True),))
        self.document.enableAutomaticCalculation(False)
        self.document.getUndoManager().lock()

    @staticmethod
    def expand_references(services, context):
        provider = services.createInstanceWithContext("com.sun.star.configuration.ConfigurationProvider", context)
        access = provider.createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationUpdateAccess",
            (named("nodepath", "/org.openoffice.Office.Calc/Input"),))
        access.setPropertyValue("ExpandReference", True)
        access.commitChanges()

    def stop(self):
        if self.process:
            libreoffice.stop(self.process)
            self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    def begin(self, sheets):
        """Replaces all sheets of the document."""
        kept = self.document.Sheets
        old = kept.ElementNames
        # Two passes: formulas need the sheets to which they refer.
        for index, name in enumerate(old):
            kept.getByIndex(index).setName(f"old {index}")
        for index, sheet in enumerate(sheets):
            kept.insertNewByName(sheet["name"], index)
        for index in range(len(old)):
            kept.removeByName(f"old {index}")
        for sheet in sheets:
            self.fill(sheet["name"], 0, 0, sheet["cells"])

    def fill(self, name, column, row, cells):
        sheet = self.document.Sheets.getByName(name)
        last = (column + len(cells[0]) - 1, row + len(cells) - 1)
        target = sheet.getCellRangeByPosition(column, row, *last)
        target.setFormulaArray(tuple(tuple(entered(text) for text in line) for line in cells))

    def edit(self, operation):
        op = operation["op"]
        sheets = self.document.Sheets
        if op == "add_sheet":
            sheets.insertNewByName(operation["name"], operation["index"])
            self.fill(operation["name"], 0, 0, operation["cells"])
            return
        name = operation["sheet"]
        sheet = sheets.getByName(name)
        if op == "set_cells":
            place = sheet.getCellRangeByName(operation["range"]).getRangeAddress()
            self.fill(name, place.StartColumn, place.StartRow, operation["values"])
        elif op == "fill":
            source = sheet.getCellRangeByName(operation["from"]).RangeAddress
            target = sheet.getCellRangeByName(operation["range"]).RangeAddress
            for row in range(target.StartRow, target.EndRow + 1):
                for column in range(target.StartColumn, target.EndColumn + 1):
                    if (row, column) != (source.StartRow, source.StartColumn):
                        sheet.copyRange(CellAddress(source.Sheet, column, row), source)
            self.keep_lost()
        elif op == "rename_sheet":
            sheet.setName(operation["name"])
        elif op == "delete_sheet":
            sheets.removeByName(name)
        elif op in ("insert_rows", "insert_columns"):
            lines, at = (sheet.Rows, operation["row"] - 1) if op == "insert_rows" else (
                sheet.Columns, column_of(operation["column"]))
            # One by one: if two are inserted at once right above a row over a range, Calc takes that row into the range.
            for _ in range(operation["count"]):
                lines.insertByIndex(at, 1)
        elif op == "delete_rows":
            sheet.Rows.removeByIndex(operation["row"] - 1, operation["count"])
        elif op == "delete_columns":
            sheet.Columns.removeByIndex(column_of(operation["column"]), operation["count"])
        else:
            raise ValueError(op)
        if op.startswith("delete"):
            self.keep_lost()

    def keep_lost(self):
        """Enters formulas with deleted references again, as if the workbook were saved and opened."""
        # Calc lets an insertion revive a reference that a deletion took away, until the workbook is opened again.
        for sheet in self.document.Sheets:
            cursor = sheet.createCursor()
            cursor.gotoEndOfUsedArea(False)
            end = cursor.RangeAddress
            formulas = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow).getFormulaArray()
            for row, line in enumerate(formulas):
                for column, formula in enumerate(line):
                    if formula.startswith("=") and "#REF!" in formula:
                        sheet.getCellByPosition(column, row).setFormula(alike(formula))

    def result(self, sheets):
        """The formulas and the values of all cells that our workbook has."""
        ranges = []
        for ours in sheets:
            sheet = self.document.Sheets.getByName(ours["name"])
            rows, columns = len(ours["cells"]), len(ours["cells"][0])
            cells = sheet.getCellRangeByPosition(0, 0, columns - 1, rows - 1)
            ranges.append((sheet, rows, columns, cells, cells.getFormulaArray()))
        # Calc 7.4 chooses the cell of a range beside a formula when the formula is entered, and does not choose again
        # when rows or sheets move. After opening the workbook again it would.
        for ours in sheets:
            self.fill(ours["name"], 0, 0, ours["cells"])
        self.document.calculateAll()
        for sheet, rows, columns, cells, formulas in ranges:
            data = cells.getDataArray()
            values = [[self.value(sheet, row, column, data[row][column], formulas[row][column])
                       for column in range(columns)] for row in range(rows)]
            yield formulas, values

    @staticmethod
    def value(sheet, row, column, data, formula):
        if data is None:
            error = sheet.getCellByPosition(column, row).getError()
            return {"type": "error", "value": ERRORS.get(error, "#VALUE!")}
        if isinstance(data, str):
            return {"type": "text", "value": data} if data or formula else {"type": "empty"}
        return {"type": "number", "value": data}


def column_of(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def entered(text):
    """What Calc is given for the text of a cell, by the rule of `spreadsheets/literal.rs`."""
    if text.startswith("="):
        return alike(to_calc(text))
    if text.upper() in ("TRUE", "FALSE"):
        return f"={text.upper()}()"
    if not text or DECIMAL.fullmatch(text):
        return text
    return f"'{text}"


def same_formula(ours, calc):
    if not ours.startswith("="):
        return True
    return alike(to_calc(ours)) == alike(calc)


def same_value(ours, calc):
    if ours["type"] == "boolean":
        ours = {"type": "number", "value": int(ours["value"])}
    if ours["type"] != calc["type"]:
        return False
    if ours["type"] != "number":
        return ours.get("value") == calc.get("value")
    one, other = ours["value"], calc["value"]
    # Sums and powers may differ in the last bit with the machine that calculates them.
    return one == other or math.isclose(one, other, rel_tol=1e-15)


class Comparison:
    def __init__(self):
        self.formulas = self.values = self.cases = self.cycles = 0
        self.differing = Counter()
        self.shown = Counter()

    def add(self, case, calc):
        self.cases += 1
        is_same = True
        # Which cells of a cycle have an error depends on where Calc begins. Ours all have one.
        has_cycle = any(cell.get("value") == "#CYCLE!" for rows in case["computed"] for row in rows for cell in row)
        self.cycles += has_cycle
        for sheet, (formulas, values), ours in zip(case["after"], calc, case["computed"]):
            lines = zip(sheet["cells"], formulas, values, ours)
            for row, (texts, theirs, judged, computed) in enumerate(lines):
                for column, text in enumerate(texts):
                    if not text.startswith("="):
                        continue
                    where = f"seed {case['seed']}, {sheet['name']} row {row + 1} column {column + 1}"
                    self.formulas += 1
                    if not same_formula(text, theirs[column]):
                        self.differs("formula", where, text, theirs[column], text)
                        is_same = False
                        continue
                    if has_cycle:
                        continue
                    self.values += 1
                    if not same_value(computed[column], judged[column]):
                        kind = kind_of(computed[column], judged[column])
                        self.differs(kind, where, computed[column], judged[column], text)
                        is_same = False
        return is_same

    def differs(self, kind, where, ours, calc, text):
        self.differing[kind] += 1
        if self.shown[kind] < 40:
            self.shown[kind] += 1
            print(f"{kind}: {where}: {text}\n    ours {ours}\n    Calc {calc}")


def kind_of(ours, calc):
    both = ours["type"] == calc["type"] == "error"
    return WHICH_ERROR if both else "value"


def cases(arguments):
    """Each case with None, or None with what our program did instead of making one."""
    seed, end = arguments.seed, arguments.seed + arguments.count
    while seed < end:
        until = min(seed + BLOCK, end)
        command = [arguments.cases, str(seed), str(until - seed), str(arguments.operations)]
        program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            for line in program.stdout:
                yield json.loads(line), None
                seed += 1
            code = program.wait()
            # Its standard error, which is ours, says why.
            if seed < until:
                yield None, f"seed {seed}: our program failed"
                # The next program begins after this seed.
                seed += 1
            elif code:
                yield None, f"our program made all its cases, and then ended with {code}"
        finally:
            program.kill()
            program.wait()


def judge(calc, case):
    signal.alarm(ANSWER_SECONDS)
    try:
        calc.begin(case["content"]["sheets"])
        for operation in case["operations"]:
            calc.edit(operation)
        return list(calc.result(case["after"]))
    finally:
        signal.alarm(0)


def hang(*_):
    raise TimeoutError("Calc does not answer")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", help="the program that makes cases")
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1_000_000)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--operations", type=int, default=10)
    parser.add_argument("--keep", type=int, default=0, help="write so many cases to --file")
    parser.add_argument("--file")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    signal.signal(signal.SIGALRM, hang)
    calc, comparison, kept = Calc(), Comparison(), []
    calc.start()
    end = time.monotonic() + 60 * arguments.minutes
    broken = 0
    for case, failure in cases(arguments):
        if failure:
            broken += 1
            print(failure, flush=True)
        else:
            try:
                judged = judge(calc, case)
            except Exception as error:  # Calc died, hangs or refuses: the next case needs a new one.
                broken += 1
                print(f"seed {case['seed']}: {error!r}", flush=True)
                calc.start()
            else:
                if comparison.add(case, judged) and len(kept) < arguments.keep and small(case):
                    kept.append(as_data(case, judged))
        if time.monotonic() > end or (arguments.keep and len(kept) == arguments.keep):
            break
    calc.close()
    if not comparison.cases:
        broken += 1
        print("no case was compared")
    if len(kept) < arguments.keep:
        # With fewer cases, the file would test less than before.
        broken += 1
        print(f"{len(kept)} of {arguments.keep} cases: {arguments.file} is not written")
    elif arguments.keep:
        write(arguments.file, kept)
    report(comparison, broken)


def as_data(case, judged):
    """A case with Calc's values in place of ours."""
    values = [rows for _, rows in judged]
    return {"seed": case["seed"], "content": case["content"], "operations": case["operations"],
            "after": case["after"], "values": values}


def small(case):
    """Whether it is worth its place: with a formula or two, no cycle, and not too long."""
    if "#CYCLE!" in json.dumps(case["computed"]):
        return False
    formulas = sum(text.startswith("=") for sheet in case["after"] for row in sheet["cells"] for text in row)
    return formulas > 1 and len(json.dumps(case)) < 2500


def write(path, kept):
    """Compact, with one case a line."""
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in kept)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[\n{lines}\n]\n")


def report(comparison, broken):
    print(f"{comparison.cases} workbooks, {comparison.formulas} formulas, {comparison.values} values, "
          f"{comparison.cycles} workbooks with cycles")
    for kind, count in comparison.differing.most_common():
        print(f"    {count} differ: {kind}")
    # A formula with several errors shows another one of them: docs/guides/edit-a-budget.md.
    known = comparison.differing.pop(WHICH_ERROR, 0)
    differing = sum(comparison.differing.values())
    failed = differing + broken
    print(f"{comparison.formulas + comparison.values - known - differing} passed, {failed} failed", flush=True)
    # Not `sys.exit`: the bridge to Calc crashes when Python takes it apart.
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    main()
