"""The endpoints of kinds other than scalars. Each kind is imported at its first request, since some import NumPy.

The endpoints of a kind are in `routes/<name>.py`, and their paths begin with /api/v1/<name>.
"""

from importlib import import_module

from lightboard.board.endpoint import Endpoint

KINDS = (
    "audio",
    "custom_scalars",
    "graphs",
    "histograms",
    "hparams",
    "images",
    "meshes",
    "pr_curves",
    "profiles",
    "projector",
    "text",
)


def endpoints_of(kind: str) -> tuple[Endpoint, ...]:
    """The endpoints of one of `KINDS`."""
    endpoints: tuple[Endpoint, ...] = import_module(f"lightboard.board.routes.{kind}").ENDPOINTS
    return endpoints


def every_kind() -> tuple[Endpoint, ...]:
    """The endpoints of all kinds."""
    return tuple(endpoint for kind in KINDS for endpoint in endpoints_of(kind))
