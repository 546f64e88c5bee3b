"""URL normalization before routing."""

import pytest

from lightboard.asgi.prefix import PathPrefix, home_of
from support.asgi_client import BASE, echo_path, send_request

PLAIN = PathPrefix(echo_path)
PREFIXED = PathPrefix(echo_path, "/a/b")


@pytest.mark.parametrize(
    ("asked", "routed"),
    [
        ("/", "/"),
        ("/data/runs", "/data/runs"),
        ("/data/runs/", "/data/runs"),
        (f"{BASE}//data//runs", "/data/runs"),
        ("/experiment/x/data/runs", "/data/runs"),
        ("/experiment/x/", "/"),
        ("/experiment//data/runs", "/data/runs"),
        ("/compare/a:x,b:y/data/runs", "/data/runs"),
        ("/experimental/x", "/experimental/x"),
        ("/experiment", "/experiment"),
    ],
)
def test_forms_of_a_url_are_normalized(asked: str, routed: str) -> None:
    """Extra slashes and experiment paths are removed."""
    assert send_request(PLAIN, "GET", asked).text == routed


def test_paths_below_the_prefix_work() -> None:
    """Experiment forms too."""
    assert [
        send_request(PREFIXED, "GET", url).text for url in ("/a/b/", "/a/b/data/runs", "/a/b/experiment/x/data/runs")
    ] == [
        "/",
        "/data/runs",
        "/data/runs",
    ]


@pytest.mark.parametrize("url", ["/", "/a", "/a/", "/a/bc", "/data/runs"])
def test_paths_outside_the_prefix_are_404(url: str) -> None:
    """As text, like TensorBoard."""
    answer = send_request(PREFIXED, "GET", url)

    assert (answer.status_code, answer.text) == (404, "Not found")


@pytest.mark.parametrize(
    ("app", "url", "location"),
    [(PREFIXED, "/a/b", "b/"), (PLAIN, "/experiment/x", "x/"), (PLAIN, "/experiment/x%20y", "x%20y/")],
)
def test_missing_trailing_slashes_redirect(app: PathPrefix, url: str, location: str) -> None:
    """By relative URLs, which work behind proxies that remove a prefix."""
    answer = send_request(app, "GET", url)

    assert (answer.status_code, answer.headers["location"]) == (301, location)


@pytest.mark.parametrize(("path", "home"), [("/events", "./"), ("/events/", "../"), ("/a/b", "../")])
def test_links_to_the_root_are_relative(path: str, home: str) -> None:
    """From any depth."""
    assert home_of(path) == home
