"""The part of /api/v1 that is about data other than scalars: each kind is loaded at the first question about it.

Some load NumPy, and a page of scalars does without. The endpoints of a kind stand in `routes/<name>.py`, their paths
begin with /api/v1/<name>.
"""

from importlib import import_module

from lightboard.board.endpoint import Endpoint

KINDS = ("audio", "custom_scalars", "histograms", "hparams", "images", "meshes", "pr_curves", "projector", "text")


def endpoints_of(kind: str) -> tuple[Endpoint, ...]:
    """The endpoints of one of `KINDS`."""
    found: tuple[Endpoint, ...] = import_module(f"lightboard.board.routes.{kind}").ENDPOINTS
    return found


def every_kind() -> tuple[Endpoint, ...]:
    """The endpoints of all of them."""
    return tuple(endpoint for kind in KINDS for endpoint in endpoints_of(kind))
