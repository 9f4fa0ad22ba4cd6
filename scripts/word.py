#!/usr/bin/python3
"""Lets LibreOffice Writer resolve the tracked changes of Word files. `./test word` runs it.

    scripts/word.py CASES [--count N] [--seed N]
    scripts/word.py CASES --keep FOLDER

CASES is the example `word` of cloud-content, which writes the files. With all changes accepted, a file must have the
text of the new version, and with all rejected that of the old one. `--keep` only writes the files of a test: the plan
between the versions in FOLDER, as Writer saves it with its changes accepted, rejected and untouched.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import libreoffice
from libreoffice import named

ACCEPT, REJECT = ".uno:AcceptAllTrackedChanges", ".uno:RejectAllTrackedChanges"


class Writer:
    """One headless Writer."""

    def __init__(self, place):
        self.process, context = libreoffice.start(place)
        services = context.ServiceManager
        self.desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.dispatcher = services.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)

    def close(self):
        libreoffice.stop(self.process)

    def resolved(self, path, step, save=None):
        """The texts of the file's paragraphs and cells after this step."""
        document = self.desktop.loadComponentFromURL(path.as_uri(), "_blank", 0, (named("Hidden", True),))
        if document is None:
            raise ValueError("Writer cannot open it")
        try:
            if step:
                frame = document.getCurrentController().getFrame()
                self.dispatcher.executeDispatch(frame, step, "", 0, ())
            if save:
                document.storeToURL(save.as_uri(), (named("FilterName", "MS Word 2007 XML"),))
            return [] if step is None else list(texts(document.getText()))
        finally:
            document.close(True)


def texts(text):
    parts = text.createEnumeration()
    while parts.hasMoreElements():
        part = parts.nextElement()
        if part.supportsService("com.sun.star.text.TextTable"):
            for name in part.getCellNames():
                yield from texts(part.getCellByName(name))
        else:
            yield part.getString()


def plain(found):
    return [line for line in (" ".join(text.split()) for text in found) if line]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("cases")
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=int(time.time()))
    arguments.add_argument("--keep", type=Path)
    options = arguments.parse_args()
    place = Path(tempfile.mkdtemp(prefix="word-"))
    writer = Writer(place)
    differing = 0
    try:
        if options.keep:
            subprocess.run([options.cases, options.keep], check=True)
            for name, step in (("accepted", ACCEPT), ("rejected", REJECT), ("untouched", None)):
                writer.resolved(options.keep.resolve() / "plan.docx", step, options.keep.resolve() / f"{name}.docx")
            return 0
        subprocess.run([options.cases, place, str(options.count), str(options.seed)], check=True)
        for index in range(options.count):
            path = place / f"{index}.docx"
            expected = json.loads((place / f"{index}.json").read_text())
            for step, version in ((ACCEPT, "after"), (REJECT, "before")):
                found = plain(writer.resolved(path, step))
                if found != plain(expected[version]):
                    differing += 1
                    print(f"case {index} of seed {options.seed}, {version}:\n  expected {plain(expected[version])}\n"
                          f"  found    {found}")
    finally:
        writer.close()
        shutil.rmtree(place, ignore_errors=True)
    print(f"{options.count} files of seed {options.seed}: {differing} texts differ")
    return 1 if differing or not options.count else 0


sys.exit(main())
