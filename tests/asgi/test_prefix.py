"""Addresses before routing."""

import pytest
from speaking import BASE, ask, say_ok

from lightboard.asgi.prefix import PathPrefix, home_of

PLAIN = PathPrefix(say_ok)
PREFIXED = PathPrefix(say_ok, "/a/b")


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
def test_forms_of_one_address_are_one(asked: str, routed: str) -> None:
    """Slashes and experiments are taken off."""
    assert ask(PLAIN, "GET", asked).text == routed


def test_below_the_prefix_everything_is_as_without() -> None:
    """Experiment forms, too."""
    assert [ask(PREFIXED, "GET", url).text for url in ("/a/b/", "/a/b/data/runs", "/a/b/experiment/x/data/runs")] == [
        "/",
        "/data/runs",
        "/data/runs",
    ]


@pytest.mark.parametrize("url", ["/", "/a", "/a/", "/a/bc", "/data/runs"])
def test_outside_the_prefix_is_nothing(url: str) -> None:
    """Text, as TensorBoard answers."""
    answer = ask(PREFIXED, "GET", url)

    assert (answer.status_code, answer.text) == (404, "Not found")


@pytest.mark.parametrize(
    ("app", "url", "location"),
    [(PREFIXED, "/a/b", "b/"), (PLAIN, "/experiment/x", "x/"), (PLAIN, "/experiment/x%20y", "x%20y/")],
)
def test_a_folder_without_its_slash_moves(app: PathPrefix, url: str, location: str) -> None:
    """By a relative address, which holds behind a proxy that takes a prefix off."""
    answer = ask(app, "GET", url)

    assert (answer.status_code, answer.headers["location"]) == (301, location)


@pytest.mark.parametrize(("path", "home"), [("/events", "./"), ("/events/", "../"), ("/a/b", "../")])
def test_the_way_home_is_relative(path: str, home: str) -> None:
    """From any depth."""
    assert home_of(path) == home
