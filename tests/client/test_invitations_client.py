"""Invitations in SDK and CLI."""

import json
import os
import pathlib

import pytest

from lightboard import Session
from lightboard.errors import NotFound
from support.board_process import TIMEOUT_SECS
from support.fork_server import run_lightboard
from support.hub_process import HubProcess


def test_invitations_work_end_to_end(tmp_path: pathlib.Path) -> None:
    """Sent, listed, withdrawn, declined, accepted."""

    def typed(token: str, *words: str) -> str:
        env = {**os.environ, "LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": token, "LIGHTBOARD_HOME": str(tmp_path)}
        done = run_lightboard(["project", *words], TIMEOUT_SECS, env=env)
        done.check_returncode()
        return done.stdout

    with HubProcess(tmp_path / "home") as hub:
        owner, other = hub.create_account("owner", "owner"), hub.create_account("other")
        with Session(hub.url, owner) as sends, Session(hub.url, other) as has:
            first = json.loads(typed(owner, "invite", "default", "other", "--role", "viewer", "--json"))
            seen = json.loads(typed(other, "invitations", "--json"))
            sent = json.loads(typed(owner, "invitations", "default", "--json"))
            typed(owner, "withdraw", "default", first["id"])
            withdrawn = has.invitations()

            typed(other, "decline", sends.invite("default", "other")["id"])
            declined = has.invitations()
            with pytest.raises(NotFound):
                has.accept(first["id"])

            typed(other, "accept", sends.invite("default", "other", "editor")["id"])
            roles = {each["name"]: each["role"] for each in sends.get("/api/v1/projects/default/members")["items"]}

    assert (seen, sent, first["role"]) == ([first], [first], "viewer")
    assert (withdrawn, declined) == ([], [])
    assert roles == {"admin": "owner", "owner": "owner", "other": "editor"}
