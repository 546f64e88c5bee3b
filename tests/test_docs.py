"""Docs are part of the product: every flag and every route has its heading, and there is none that is not there."""

import pathlib
import re

from lightboard.board.api import ENDPOINTS
from lightboard.board.tensorboard import core, scalars, timeseries
from lightboard.cli.flags import flag_names

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"


def headings(page: str) -> list[str]:
    return re.findall(r"^### (.+)$", (DOCS / page).read_text(), re.MULTILINE)


def test_every_flag_has_its_heading() -> None:
    """docs/flags.md and the parser know the same flags, in the same order."""
    assert headings("flags.md") == [name for name in flag_names() if name not in ("-h", "--helpfull")]


def test_every_endpoint_has_its_heading() -> None:
    """docs/http.md lists exactly the endpoints of /api/v1."""
    listed = [heading for heading in headings("http.md") if "/api/v1" in heading]

    assert sorted(listed) == sorted(f"{endpoint.method} {endpoint.path}" for endpoint in ENDPOINTS)


def test_every_tensorboard_route_has_its_heading() -> None:
    """docs/http.md names every route of TensorBoard's that is answered."""
    text = " ".join(heading for heading in headings("http.md") if "/api/v1" not in heading)
    aliases = {"/notifications_note.json"}  # where /data/notifications leads

    assert sorted({route.path for route in (*core.ROUTES, *scalars.ROUTES, *timeseries.ROUTES)} - aliases) == sorted(
        set(re.findall(r"/[\w/.]+", text))
    )
