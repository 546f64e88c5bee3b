"""An image whose JupyterLab is a small server that tells what it was asked, and that nothing runs in it."""

import pathlib
import sys

from lightboard.hub.notebook_server import BOARD_PROGRAMS

PROGRAM = """#!{python}
import os
import sys
from datetime import datetime, timezone
from aiohttp import WSMsgType, web


HEADERS = {{
    "Set-Cookie": "theirs=1; Path=/",
    "Clear-Site-Data": "cookies",
    "Service-Worker-Allowed": "/",
    "X-Theirs": "yes",
}}


def told(request):
    headers = {{name.lower(): value for name, value in request.headers.items()}}
    return {{"method": request.method, "path": request.path_qs, "headers": headers}}


STARTED = datetime.now(timezone.utc).isoformat()


async def activity(request):
    status = {{"last_activity": STARTED, "started": STARTED, "kernels": 0, "connections": 0}}
    return web.json_response(status if request.path.endswith("/status") else [])


async def answer(request):
    if request.path.endswith("/shutdown"):
        os._exit(0)
    return web.json_response(told(request), headers=HEADERS)


async def socket(request):
    opened = web.WebSocketResponse(protocols=["v1.kernel"])
    await opened.prepare(request)
    await opened.send_json(told(request))
    async for message in opened:
        if message.data == "leave":
            await opened.close(code=4001)
        elif message.type is WSMsgType.TEXT:
            await opened.send_str(message.data.upper())
        else:
            await opened.send_bytes(message.data[::-1])
    return opened


app = web.Application()
app.router.add_get("/{{below:.*}}/socket", socket)
for name in ("kernels", "terminals", "status"):
    app.router.add_get(f"/{{{{below:.*}}}}/api/{{name}}", activity)
app.router.add_route("*", "/{{below:.*}}", answer)
print("arguments", *sys.argv[1:], flush=True)
web.run_app(app, path="server.sock", print=None)
"""


def write_notebook_image(folder: pathlib.Path) -> pathlib.Path:
    """The folder of an image, which is created. It has the metadata of two packages."""
    programs = folder / "bin"
    programs.mkdir(parents=True)
    for name in ("python3", "jupyter-lab", *BOARD_PROGRAMS.values()):
        (programs / name).write_text(PROGRAM.format(python=sys.executable))
        (programs / name).chmod(0o755)
    (folder / "pyvenv.cfg").write_text("version = 3.12.3\n")
    for name, version in (("aiohttp", "3.14.5"), ("jupyterlab", "4.5.0")):
        metadata = folder / f"lib/python3.12/site-packages/{name}-{version}.dist-info/METADATA"
        metadata.parent.mkdir(parents=True)
        metadata.write_text(f"Name: {name}\nVersion: {version}\n")
    return folder
