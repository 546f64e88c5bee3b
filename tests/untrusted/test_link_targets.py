"""Links that lead out of a folder are found by their text."""

import pytest

from lightboard.untrusted.link_targets import leads_out


@pytest.mark.parametrize(
    ("path", "target", "out"),
    [
        *[("a", "b", False), ("a", "./b//c", False), ("d/a", "../b", False), ("d/e/a", "../../b", False)],
        *[("a", "..", True), ("a", "../b", True), ("d/a", "../../b", True), ("a", "./../b", True)],
        *[("a", "/b", True), ("a", "d/../b", True), ("d/a", "../e/../b", True), ("a", "..b", False)],
    ],
)
def test_links_that_lead_out_are_found(path: str, target: str, out: bool) -> None:
    """Also those that do so only if a name on the way is a link."""
    assert leads_out(path, target) is out
