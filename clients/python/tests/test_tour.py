"""examples/tour.py on the running stack."""

from typing import Any

import pytest
import tour


def test_the_tour_goes_round(stack: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    tour.tour(stack)
    said = capsys.readouterr().out.splitlines()
    assert said[:4] == ["Begin at 9:30.", "Begin at 10:00.", "Begin at 9:30.", "2500000 bytes went there and back"]
    assert " has entry " in said[4]
