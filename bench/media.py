"""Images and histograms: cost of loading, opening and viewing them."""

import json
import random
import statistics
import urllib.parse

from playwright.sync_api import sync_playwright

from page import launch
from servers import JSON

RUN, TAG = "run_0000", "samples/noise"


def our_images(server):
    """URLs of all images of the log."""
    _, _, answer = server.request("/api/v1/values", json.dumps({"plugin": "images", "tags": [TAG]}), JSON)
    (series,) = json.loads(answer)["series"]
    return [
        "/api/v1/images/data?" + urllib.parse.urlencode({"run": RUN, "tag": TAG, "at": key, "sample": 0})
        for key in series["keys"]
    ]


def peer_images(server):
    """URLs of the images that TensorBoard keeps."""
    query = urllib.parse.urlencode({"run": RUN, "tag": TAG, "sample": 0})
    listed = json.loads(server.request(f"/data/plugin/images/images?{query}")[2])
    return [f"/data/plugin/images/individualImage?{one['query']}" for one in listed]


def opened(server, addresses, count):
    """Fetch `count` random images: median and worst time in ms, bytes of one, memory of the server afterwards."""
    rng = random.Random(0)
    times, sizes = [], []
    for _ in range(count):
        secs, status, data = server.request(rng.choice(addresses))
        if status != 200:
            raise RuntimeError(f"HTTP {status}: {data[:200]!r}")
        times.append(secs * 1e3)
        sizes.append(len(data))
    return {
        "p50_ms": statistics.median(times),
        "max_ms": max(times),
        "bytes": statistics.median(sizes),
        "memory_mb": server.tree.memory_mb(),
    }


def histograms_cost(url):
    """Open the page of histograms and scroll to its end and back: megabytes transferred and decompressed, without the
    program."""
    wire = unpacked = 0
    asked = {}

    def answered(event):
        asked[event["requestId"]] = "/data/" in event["response"]["url"] or "/api/" in event["response"]["url"]

    def received(event):
        nonlocal wire, unpacked
        if asked.get(event["requestId"]):
            wire += event["encodedDataLength"]
            unpacked += event["dataLength"]

    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.responseReceived", answered)
        session.on("Network.dataReceived", received)
        page.goto(f"{url}#histograms")
        page.wait_for_timeout(4_000)
        page.mouse.move(900, 500)
        for _ in range(60):
            page.mouse.wheel(0, 200)
            page.wait_for_timeout(50)
        page.wait_for_timeout(3_000)
        browser.close()
    return {"wire_mb": wire / 1e6, "unpacked_mb": unpacked / 1e6}
