"""Routes below /data that belong to no plugin, and old routes that redirect to tabs."""

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


async def respond_json(request: Request, value: Any) -> Response:
    """`value` as JSON."""
    return await board_of(request).responses.json(request, lambda: value)


async def environment(request: Request) -> Response:
    """GET /data/environment. TensorBoard also lists all flags here; we do not publish them."""
    settings = board_of(request).settings
    return await respond_json(
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
    return await respond_json(request, {"logdir": board_of(request).settings.location})


async def window_properties(request: Request) -> Response:
    """GET /data/window_properties"""
    return await respond_json(request, {"window_title": board_of(request).settings.window_title})


async def runs(request: Request) -> Response:
    """GET /data/runs"""
    board = board_of(request)
    return await board.responses.json(request, board.provider.run_names)


async def empty_list(request: Request) -> Response:
    """GET /data/experiments and /data/experiment_runs: lists that are always empty without a hosted service."""
    return await respond_json(request, [])


async def notifications(request: Request) -> Response:  # noqa: ARG001  # the signature of handlers
    """GET /data/notifications"""
    return Response(status_code=302, headers={"location": "../notifications_note.json"})


async def notifications_note(request: Request) -> Response:
    """GET /notifications_note.json: always empty."""
    return await respond_json(request, {"notifications": []})


async def plugins_listing(request: Request) -> Response:
    """GET /data/plugins_listing"""
    board = board_of(request)
    return await board.responses.json(request, lambda: listing(board.provider.plugin_counts()))


async def plugin_entry(request: Request) -> Response:
    """GET /data/plugin_entry.html: no plugin is loaded in a frame."""
    name = first(request, "name")
    if name in {plugin.name for plugin in PLUGINS if not plugin.framed}:
        return PlainTextResponse("Plugin is not module loadable", 400)
    return PlainTextResponse(f"Not found: {name}" if name else "Not found", 404)


async def legacy(request: Request) -> Response:
    """GET /events and similar: redirect to a tab of the page."""
    return Response(
        status_code=302, headers={"location": f"{request.scope[HOME]}#{LEGACY_TABS[request.scope['path']]}"}
    )


ROUTES = (
    Route("/data/environment", environment),
    Route("/data/logdir", logdir),
    Route("/data/window_properties", window_properties),
    Route("/data/runs", runs),
    Route("/data/experiments", empty_list),
    Route("/data/experiment_runs", empty_list),
    Route("/data/notifications", notifications),
    Route("/notifications_note.json", notifications_note),
    Route("/data/plugins_listing", plugins_listing),
    Route("/data/plugin_entry.html", plugin_entry),
    *(Route(path, legacy) for path in LEGACY_TABS),
)
