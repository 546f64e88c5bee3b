"""/data/plugin/pr_curves: tags, and the curves of one tag in several runs."""

import math
from collections.abc import Iterator
from functools import partial
from itertools import starmap
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.tensorboard.tag_descriptions import tag_descriptions
from lightboard.config import BoardSettings
from lightboard.errors import NotFound
from lightboard.query.provider import ValueProvider

KIND = "pr_curves"
PLUGIN = f"/data/plugin/{KIND}"

DEFAULT_SAMPLES = 100


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.responses.stream(
        request, tag_descriptions(board.provider, KIND, partial(known_only, board.provider))
    )


def known_only(provider: ValueProvider, run: str, tag: str) -> dict[str, Any] | None:
    """No extra fields; None for tags of an unknown version, which are left out."""
    from lightboard.query.pr_curves import known  # imports NumPy

    return {} if known(provider.values(KIND, run, tag).metadata) else None


async def pr_curves(request: Request) -> Response:
    """GET /pr_curves?tag&run&run...: run -> its curves."""
    board = board_of(request)
    runs, tag = request.query_params.getlist("run"), first(request, "tag")
    if not runs:
        return PlainTextResponse("No runs provided when fetching PR curve data", 400)
    if not tag:
        return PlainTextResponse("No tag provided when fetching PR curve data", 400)
    for run in runs:
        try:
            await board.pool.call(board.provider.values, KIND, run, tag)
        except NotFound:
            return PlainTextResponse(f"No PR curves could be found for run {run!r} and tag {tag!r}", 400)
    return await board.responses.stream(
        request, json_pieces.object_of(entries(board.provider, board.settings, tag, runs))
    )


def entries(
    provider: ValueProvider, settings: BoardSettings, tag: str, runs: list[str]
) -> Iterator[json_pieces.Member]:
    """run: one object for each returned step."""
    from lightboard.query.pr_curves import samples_of

    limit = settings.samples.get(KIND, DEFAULT_SAMPLES)
    for run in dict.fromkeys(runs):
        samples = samples_of(provider, run, tag, limit)
        yield json_pieces.member(run, json_pieces.rows(starmap(entry, samples)))


def entry(step: int, wall: float, curve: Any) -> dict[str, Any]:
    """One curve with integer counts, up to the last threshold with positive predictions."""
    from lightboard.events.pr_curves import count_thresholds

    end = count_thresholds(curve, whole=True)
    counts = {
        name: [int(number) if math.isfinite(number) else 0 for number in getattr(curve, name)[:end].tolist()]
        for name in ("true_positives", "false_positives", "true_negatives", "false_negatives")
    }
    return {
        "wall_time": wall,
        "step": step,
        "precision": curve.precision[:end].tolist(),
        "recall": curve.recall[:end].tolist(),
        **counts,
        "thresholds": curve.thresholds[:end].tolist(),
    }


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/pr_curves", pr_curves),
)
