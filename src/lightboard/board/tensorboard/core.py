"""The addresses below /data that belong to no plugin, and the old ones that lead to tabs."""

from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lightboard import __version__
from lightboard.asgi.prefix import HOME
from lightboard.asgi.query_string import first
from lightboard.board.board import board_of
from lightboard.board.tensorboard.plugins import PLUGINS, listing

LEGACY_TABS = {
    "/audio": "audio",
    "/events": "scalars",
    "/graphs": "graphs",
    "/histograms": "histograms",
    "/images": "images",
}


async def answer(request: Request, value: Any) -> Response:
    """`value` as JSON."""
    return await board_of(request).json(request, lambda: value)


async def environment(request: Request) -> Response:
    """GET /data/environment. TensorBoard also lists every flag here; ours stay private."""
    settings = board_of(request).settings
    return await answer(
        request,
        {
            "version": __version__,
            "data_location": settings.location,
            "window_title": settings.window_title,
            "experiment_name": "",
            "experiment_description": "",
            "creation_time": 0.0,
            "debug": {"data_provider": "lightboard", "flags": {}},
        },
    )


async def logdir(request: Request) -> Response:
    """GET /data/logdir"""
    return await answer(request, {"logdir": board_of(request).settings.location})


async def window_properties(request: Request) -> Response:
    """GET /data/window_properties"""
    return await answer(request, {"window_title": board_of(request).settings.window_title})


async def runs(request: Request) -> Response:
    """GET /data/runs"""
    board = board_of(request)
    return await board.json(request, board.provider.run_names)


async def nothing(request: Request) -> Response:
    """GET /data/experiments and /data/experiment_runs: lists that only a hosted service fills."""
    return await answer(request, [])


async def notifications(request: Request) -> Response:  # noqa: ARG001  # the handler's signature
    """GET /data/notifications"""
    return Response(status_code=302, headers={"location": "../notifications_note.json"})


async def notifications_note(request: Request) -> Response:
    """GET /notifications_note.json: we have no news to announce."""
    return await answer(request, {"notifications": []})


async def plugins_listing(request: Request) -> Response:
    """GET /data/plugins_listing"""
    board = board_of(request)
    return await board.json(request, lambda: listing(board.provider.plugin_counts()))


async def plugin_entry(request: Request) -> Response:
    """GET /data/plugin_entry.html: no plugin of ours lives in a frame."""
    name = first(request, "name")
    if name in {plugin.name for plugin in PLUGINS if not plugin.framed}:
        return PlainTextResponse("Plugin is not module loadable", 400)
    return PlainTextResponse(f"Not found: {name}" if name else "Not found", 404)


async def legacy(request: Request) -> Response:
    """GET /events and its like: to the page, on the tab that was meant."""
    return Response(
        status_code=302, headers={"location": f"{request.scope[HOME]}#{LEGACY_TABS[request.scope['path']]}"}
    )


ROUTES = (
    Route("/data/environment", environment),
    Route("/data/logdir", logdir),
    Route("/data/window_properties", window_properties),
    Route("/data/runs", runs),
    Route("/data/experiments", nothing),
    Route("/data/experiment_runs", nothing),
    Route("/data/notifications", notifications),
    Route("/notifications_note.json", notifications_note),
    Route("/data/plugins_listing", plugins_listing),
    Route("/data/plugin_entry.html", plugin_entry),
    *(Route(path, legacy) for path in LEGACY_TABS),
)
