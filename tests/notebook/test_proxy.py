"""Which proxy a notebook's browser uses."""

import json
import pathlib
import socket
from collections.abc import Callable, Iterator

import pytest

from lightboard.notebook.proxy import Proxy, find_proxy

NoteServer = Callable[..., None]


@pytest.fixture(autouse=True)
def runtime(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The folder in which Jupyter servers note that they are running. jupyter-server-proxy is installed."""
    for name in ("LIGHTBOARD_PROXY_URL", "TENSORBOARD_PROXY_URL", "JUPYTERHUB_SERVICE_PREFIX", "JPY_PARENT_PID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def note_server(runtime: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[NoteServer]:
    """Notes a server that has started this kernel, and listens on an address."""
    with socket.socket() as listener:

        def note(hostname: str, base_url: str, listens_on: str = "127.0.0.1") -> None:
            listener.bind((listens_on, 0))
            listener.listen()
            server = {"hostname": hostname, "base_url": base_url, "port": listener.getsockname()[1]}
            (runtime / "jpserver-7.json").write_text(json.dumps(server))
            monkeypatch.setenv("JPY_PARENT_PID", "7")

        yield note


def test_a_terminal_has_none() -> None:
    """The board is reached directly."""
    assert find_proxy() is None


@pytest.mark.parametrize("name", ["LIGHTBOARD_PROXY_URL", "TENSORBOARD_PROXY_URL"])
def test_a_variable_names_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is there; ours comes before TensorBoard's."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "/theirs/")
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/alice/")
    monkeypatch.setenv(name, "https://hub.example.org/p/%PORT%")

    proxy = find_proxy()

    assert proxy == Proxy("https://hub.example.org/p/%PORT%", trusted=True)
    assert proxy.page(6006, "") == "https://hub.example.org/p/6006/"


def test_below_a_jupyterhub_it_is_on_the_path_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub has its own name, which only the browser knows."""
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/alice/")

    proxy = find_proxy()

    assert proxy == Proxy("/user/alice/proxy/%PORT%/", trusted=True)
    assert proxy.page(6007, "/board") == "/user/alice/proxy/6007/board/"


@pytest.mark.parametrize(
    ("hostname", "base_url", "listens_on", "trusted"),
    [
        ("localhost", "/", "127.0.0.1", False),
        ("127.0.0.1", "/", "127.0.0.1", False),
        ("localhost", "/nb1/", "127.0.0.1", True),
        ("0.0.0.0", "/", "0.0.0.0", True),
        ("localhost", "/", "0.0.0.0", True),  # what Jupyter notes for --ip='*'
    ],
)
def test_a_server_without_a_hub_notes_its_path(
    hostname: str, base_url: str, listens_on: str, trusted: bool, note_server: NoteServer
) -> None:
    """A local one is known as localhost, so boards keep rejecting other names, as pages of other sites use them."""
    note_server(hostname, base_url, listens_on)

    assert find_proxy() == Proxy(f"{base_url}proxy/%PORT%/", trusted)


def test_without_jupyter_server_proxy_there_is_none(note_server: NoteServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jupyter forwards nothing by itself."""
    note_server("localhost", "/")
    monkeypatch.setattr("lightboard.notebook.proxy.find_spec", lambda name: None)

    assert find_proxy() is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"hostname": "localhost"}'])
def test_an_unknown_note_is_no_server(text: str, runtime: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jupyter's format is its own affair."""
    (runtime / "jpserver-7.json").write_text(text)
    monkeypatch.setenv("JPY_PARENT_PID", "7")

    assert find_proxy() is None
