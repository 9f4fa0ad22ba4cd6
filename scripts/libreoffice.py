"""One headless LibreOffice, for the scripts that let it judge."""

import os
import signal
import subprocess
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.beans.PropertyState import DIRECT_VALUE


def named(name, value):
    return PropertyValue(name, 0, value, DIRECT_VALUE)


def start(place):
    """The process, whose profile is in the folder `place`, and its context."""
    pipe = f"judge{os.getpid()}_{time.monotonic_ns()}"
    command = ["soffice", "--headless", "--invisible", "--nologo", "--norestore", "--nodefault",
               "--nofirststartwizard", f"-env:UserInstallation=file://{place}/profile",
               f"--accept=pipe,name={pipe};urp"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(300):
        try:
            return process, resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:  # Not there yet.
            time.sleep(0.1)
    stop(process)
    raise SystemExit("LibreOffice does not start")


def stop(process):
    # The process group: soffice is a script that starts the program.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
