"""`lightboard tb share`."""

import pytest

from lightboard.cli.main import main


@pytest.mark.parametrize("expires", ["30d", "7d1s", "0"])
def test_impossible_life_times_are_refused_before_any_request(expires: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the limit, not with the name of a field of the API."""
    code = main(["tb", "share", "rates", "--expires", expires, "--url", "http://127.0.0.1:1"])

    assert (code, capsys.readouterr().err.splitlines()) == (
        2,
        [f"lightboard: a link cannot be valid for {expires}", "hint: at most 7d, for example 12h or 2d"],
    )
