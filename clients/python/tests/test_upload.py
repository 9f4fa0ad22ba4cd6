"""examples/upload.py: each file is uploaded once, however often it runs."""

import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from cloud import AuthenticatedClient

PROGRAM = Path(__file__).parents[3] / "examples/upload.py"


def test_equal_files_are_two_uploads_and_a_second_run_uploads_nothing(cloud_client: AuthenticatedClient, tmp_path: Path) -> None:
    environment = os.environ | {"CLOUD": cloud_client._base_url, "CLOUD_TOKEN": cloud_client.token}

    def upload(name: str) -> str:
        command = [sys.executable, str(PROGRAM), str(tmp_path / name)]
        said: str = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
        assert said.endswith("as it was sent\n")
        return said.split()[0]

    content = uuid4().bytes
    for name in ("one.bin", "two.bin"):
        (tmp_path / name).write_bytes(content)
    one, two = upload("one.bin"), upload("two.bin")
    assert one != two and upload("one.bin") == one
