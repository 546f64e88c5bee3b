"""/data/plugin/pr_curves: tags, and the curves of one tag over several runs."""

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
from lightboard.board.board import Board, board_of
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import NotFound

KIND = "pr_curves"
PLUGIN = f"/data/plugin/{KIND}"

DEFAULT_SAMPLES = 100


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name and description."""
    board = board_of(request)
    return await board.stream_json(request, tag_words(board, KIND, partial(known_only, board)))


def known_only(board: Board, run: str, tag: str) -> dict[str, Any] | None:
    """Tags of a version to come are left out."""
    from lightboard.query.pr_curves import known  # loads NumPy, which the first page does not need

    return {} if known(board.provider.values(KIND, run, tag).metadata) else None


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
    return await board.stream_json(request, json_pieces.object_of(entries(board, tag, runs)))


def entries(board: Board, tag: str, runs: list[str]) -> Iterator[json_pieces.Member]:
    """run: one object for each step, sampled as asked on the command line."""
    from lightboard.query.pr_curves import samples_of

    most = board.settings.samples.get(KIND, DEFAULT_SAMPLES)
    for run in dict.fromkeys(runs):
        found = samples_of(board.provider, run, tag, most)
        yield json_pieces.named(run, json_pieces.rows(starmap(entry, found)))


def entry(step: int, wall: float, curve: Any) -> dict[str, Any]:
    """One curve: whole counts, and nothing beyond the last threshold at which anything is called positive."""
    from lightboard.events.pr_curves import shown_length

    end = shown_length(curve, whole=True)
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
