"""Assigns requests to lanes of threads: pages and lists never wait for charts, charts never for exports."""

from starlette.types import Scope

from lightboard.asgi.scheduler import Lane, ScheduledRequest
from lightboard.board.board import BOARD

PAGE, LISTS, CHARTS, VALUES, PROFILES, EXPORTS = "page", "lists", "charts", "values", "profiles", "exports"

LANES = {
    PAGE: Lane(threads=2, secs=30),
    LISTS: Lane(threads=2, secs=60),
    CHARTS: Lane(threads=2, secs=60),
    VALUES: Lane(threads=3, secs=60),
    PROFILES: Lane(threads=3, secs=600),
    EXPORTS: Lane(threads=2),
}
"""Charts are generated in pieces, while `VALUES` mostly are not. Downloads have no time limit.

Reading a large capture of a profiler takes minutes, in which other kinds must not wait.
"""

CLIENT = "lightboard.client"
"""Key of a scope: the authenticated client. Without it the client's address is used."""

OF_API = {
    "audio": VALUES,
    "custom_scalars": LISTS,
    "events": PAGE,
    "export": EXPORTS,
    "graphs": VALUES,
    "histograms": VALUES,
    "histograms/series": EXPORTS,
    "hparams": LISTS,
    "images": VALUES,
    "meshes": VALUES,
    "openapi.json": LISTS,
    "overlay": LISTS,
    "pr_curves": VALUES,
    "problems": LISTS,
    "profiles": PROFILES,
    "projector": EXPORTS,
    "reload": EXPORTS,
    "runs": LISTS,
    "runs/columns": VALUES,
    "scalars/chart": CHARTS,
    "scalars/range": VALUES,
    "scalars/series": EXPORTS,
    "scalars/stats": VALUES,
    "status": PAGE,
    "tags": LISTS,
    "text": VALUES,
    "text/search": EXPORTS,
    "values": VALUES,
}
"""Lanes by path below /api/v1. The longest prefix wins, and every endpoint has one."""

API, PLUGINS = "/api/v1/", "/data/plugin/"


def lane_of(path: str) -> str:
    """The lane of a path without the prefix of the board."""
    if path.startswith(API):
        first, _, rest = path[len(API) :].partition("/")
        return OF_API.get(f"{first}/{rest.partition('/')[0]}") or OF_API.get(first, PAGE)
    if path.startswith(PLUGINS):
        return LISTS if path.endswith("/tags") else EXPORTS if path.startswith(f"{PLUGINS}projector/") else VALUES
    return LISTS if path.startswith("/data/") else PAGE


def schedule(scope: Scope) -> ScheduledRequest:
    """How a request is scheduled. Lanes are shared by boards, then by the clients of a board."""
    client = scope.get(CLIENT) or (scope.get("client") or ("",))[0]
    return ScheduledRequest(lane_of(scope["path"]), (scope[BOARD].settings.path_prefix, client))
