"""The documentation over HTTP: for everyone, at addresses without .html, below any prefix."""

import pathlib

import httpx
import pytest
from starlette.middleware.exceptions import ExceptionMiddleware

from lightboard.asgi.assets import FOR_A_YEAR
from lightboard.asgi.errors import HANDLERS
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.hub.api.docs_site import DocsSite
from lightboard.hub.api.pages import CONTENT_POLICY
from lightboard.hub.db.engine import Database
from lightboard.testing.async_runner import run_async
from support.hub_client import HubClient
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # pages come from files

PAGE = '<!doctype html><script type="module" src="/docs/assets/app.B1c2D3e4.js"></script>at /docs/'
SCRIPT = 'import("/docs/assets/a.md.A1b2C3d4.lean.js")'


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A site as VitePress leaves it."""
    built = tmp_path / "docs_static"
    (built / "assets").mkdir(parents=True)
    (built / "decisions").mkdir()
    for name in ("index", "hub", "decisions/index"):
        (built / f"{name}.html").write_text(PAGE)
    (built / "404.html").write_text("no such page")
    (built / "assets" / "app.B1c2D3e4.js").write_text(SCRIPT)
    (built / "assets" / "a.md.A1b2C3d4.lean.js").write_text("1")
    return built


def ask(folder: pathlib.Path, path: str, method: str = "GET", prefix: str = "", **headers: str) -> httpx.Response:
    """An answer of the site in `folder`, on a hub with this prefix."""
    pool = AsyncThreadPool(1)
    site = DocsSite(pool, prefix, folder)
    app = ExceptionMiddleware(site, handlers={kind: on for kind, on in HANDLERS.items() if kind is not Exception})

    async def exchange() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost") as client:
            return await client.request(method, path, headers={"accept-encoding": "identity", **headers})

    try:
        return run_async(exchange())
    finally:
        pool.close(wait=True)


@pytest.mark.parametrize("path", ["/docs/", "/docs/hub", "/docs/hub.html", "/docs/decisions/"])
def test_a_page_has_an_address_without_ending(folder: pathlib.Path, path: str) -> None:
    """The page of a folder ends in a slash."""
    answer = ask(folder, path)

    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", ["app.B1c2D3e4.js", "a.md.A1b2C3d4.lean.js"])
def test_scripts_are_kept_for_a_year(folder: pathlib.Path, name: str) -> None:
    """Their names change with their content."""
    answer = ask(folder, f"/docs/assets/{name}")

    assert answer.headers["cache-control"] == FOR_A_YEAR
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


def test_a_page_that_the_browser_has_is_not_sent_again(folder: pathlib.Path) -> None:
    """By its ETag."""
    tag = ask(folder, "/docs/hub").headers["etag"]

    assert ask(folder, "/docs/hub", **{"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/docs/nothing", "/docs/decisions/nothing", "/docs/..%2fsecret", "/docs/%2e%2e/secret"]
)
def test_an_unknown_address_has_a_page_of_its_own(folder: pathlib.Path, path: str) -> None:
    """With the status 404."""
    (folder.parent / "secret").write_text("secret")

    answer = ask(folder, path)

    assert (answer.status_code, answer.text) == (404, "no such page")


def test_the_address_without_slash_leads_to_the_first_page(folder: pathlib.Path) -> None:
    """Links of pages are relative to the folder."""
    answer = ask(folder, "/docs", prefix="/lightboard")

    assert (answer.status_code, answer.headers["location"]) == (308, "/lightboard/docs/")


def test_it_can_only_be_read(folder: pathlib.Path) -> None:
    """Other methods are refused."""
    answer = ask(folder, "/docs/hub", "POST")

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_behind_a_prefix_every_address_has_it(folder: pathlib.Path) -> None:
    """Of pages and scripts; sentences stay as they are."""
    page = ask(folder, "/docs/hub", prefix="/a/b")
    script = ask(folder, "/docs/assets/app.B1c2D3e4.js", prefix="/a/b")

    assert page.text == PAGE.replace('"/docs/', '"/a/b/docs/')
    assert script.text == SCRIPT.replace('"/docs/', '"/a/b/docs/')


def test_where_it_is_not_built_a_page_says_how(tmp_path: pathlib.Path) -> None:
    """As after an install without Node."""
    answer = ask(tmp_path / "nothing", "/docs/")

    assert answer.status_code == 404
    assert "make docs" in answer.text


def test_a_hub_serves_it_to_people_who_are_not_logged_in(hub: HubClient) -> None:
    """Under the content policy of all its pages, which allows no inline script."""
    answer = hub.request("GET", "/docs/", "")

    assert (answer.status_code, "<title>" in answer.text) == (200, True)
    assert answer.headers["content-security-policy"] == CONTENT_POLICY
    assert "script-src 'self';" in CONTENT_POLICY


def test_a_hub_behind_a_prefix_serves_it_there(database: Database, personas: Personas, tmp_path: pathlib.Path) -> None:
    """Pages and the scripts that they name."""
    with HubClient(database, personas, tmp_path, path_prefix="/lightboard") as hub:
        page = hub.request("GET", "/lightboard/docs/", "")
        script = page.text.split('<script type="module" src="')[1].split('"')[0]

        assert script.startswith("/lightboard/docs/assets/")
        assert hub.request("GET", script, "").status_code == 200
