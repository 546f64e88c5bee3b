"""A server for the page of a job, which tells what it was asked: a program for `python -c`. It reads PORT."""

TELLING_SERVER = """
import os
from aiohttp import WSMsgType, web

NAMES = ("PORT", "LIGHTBOARD_HTTP_PORT", "LIGHTBOARD_HTTP_PATH")
HEADERS = {"Set-Cookie": "theirs=1; Path=/", "Clear-Site-Data": "cookies", "X-Theirs": "yes"}


def told(request):
    headers = {name.lower(): value for name, value in request.headers.items()}
    return {"path": request.path_qs, "headers": headers}


async def answer(request):
    return web.json_response(told(request), headers=HEADERS)


async def variables(request):
    return web.json_response({name: os.environ[name] for name in NAMES})


async def moved(request):
    raise web.HTTPFound("/elsewhere?a=b")


async def socket(request):
    opened = web.WebSocketResponse()
    await opened.prepare(request)
    await opened.send_json(told(request))
    async for message in opened:
        if message.type is WSMsgType.TEXT:
            await opened.send_str(message.data.upper())
    return opened


app = web.Application()
app.router.add_get("/variables", variables)
app.router.add_get("/moved", moved)
app.router.add_get("/socket", socket)
app.router.add_route("*", "/{path:.*}", answer)
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
"""
