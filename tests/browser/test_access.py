"""The page for everyone: no violation of WCAG 2.2 A and AA that axe can find."""

import pathlib
from typing import Any

import pytest
from served import Board
from visitor import Visitor

AXE = pathlib.Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(visitor: Visitor, sweep: Board, scheme: str, width: int) -> None:
    """Time Series, in both themes, wide and on a phone."""
    page = visitor.open(sweep, scheme=scheme, width=width)
    page.evaluate(AXE.read_text())

    found: dict[str, Any] = page.evaluate("(tags) => axe.run({ runOnly: tags })", RULES)

    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == []
