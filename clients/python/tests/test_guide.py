"""The Python block of docs/guides/mcp.md, run as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

GUIDE = Path(__file__).parents[3] / "docs/guides/mcp.md"


def test_the_block_lists_tools_and_calls_one(stack: dict[str, Any]) -> None:
    block = re.search(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block
    of_stack = {"CLOUD": stack["surfaces"]["cloud"]["base_url"], "CLOUD_TOKEN": stack["tokens"]["cloud"]["ada"]}
    command = [sys.executable, "-c", block[1]]
    ran = subprocess.run(command, env=os.environ | of_stack, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "apply_plan" in ran.stdout.splitlines()
    assert f"{stack['samples']['cloud']['document_id']}\tdocument\t" in ran.stdout
