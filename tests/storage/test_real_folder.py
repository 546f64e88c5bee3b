"""Sockets are opened by their real paths, so that whoever made the folder cannot lead elsewhere."""

import os
import pathlib
import socket
import sys
from collections.abc import Iterator

import pytest

from lightboard.storage.real_folder import open_socket

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs Linux")
NAME = "server.sock"


@pytest.fixture
def elsewhere(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A socket that somebody listens at."""
    path = tmp_path / "elsewhere.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        yield path


def test_the_descriptor_can_be_connected_to(elsewhere: pathlib.Path) -> None:
    """By its path in /proc, which is short."""
    fd = open_socket(str(elsewhere.parent), elsewhere.name, os.getuid())
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"/proc/self/fd/{fd}")
    os.close(fd)


def test_a_socket_at_which_nobody_listens_is_refused(tmp_path: pathlib.Path) -> None:
    """A server binds it first, and is asked again."""
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / NAME))
        with pytest.raises(ConnectionRefusedError):
            open_socket(str(tmp_path), NAME, os.getuid())


def test_a_link_to_another_socket_is_not_followed(elsewhere: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Nor one in place of the folder."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / NAME).symlink_to(elsewhere)
    (tmp_path / "link").symlink_to(folder)

    for place in (folder, tmp_path / "link"):
        with pytest.raises(OSError):
            open_socket(str(place), NAME, os.getuid())


def test_what_is_no_socket_or_of_another_user_is_refused(elsewhere: pathlib.Path) -> None:
    """A hard link could bring one into the folder."""
    (elsewhere.parent / "file").touch()

    for name, owner in (("file", os.getuid()), (elsewhere.name, os.getuid() + 1), ("missing", os.getuid())):
        with pytest.raises(OSError):
            open_socket(str(elsewhere.parent), name, owner)
