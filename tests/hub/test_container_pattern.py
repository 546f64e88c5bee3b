"""Which container images an account may choose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Invalid, UsageError
from lightboard.hub.container_pattern import ImageName, ImagePattern, image_name

DIGEST = "sha256:" + "a1" * 32
PARTS = st.from_regex(r"[a-z0-9]{1,8}([._-][a-z0-9]{1,4})?", fullmatch=True)
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
REGISTRIES = st.sampled_from(["docker.io", "registry.example.com", "registry.example.com:5000", "localhost"])
TAGS = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}", fullmatch=True)
NAMES = st.builds(lambda registry, path, tag: image_name(f"{registry}/{path}:{tag}"), REGISTRIES, PATHS, TAGS)


def is_allowed(pattern: str, name: str) -> bool:
    """Whether a pattern lets an account have an image."""
    return ImagePattern.parse(pattern).matches(image_name(name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("python", "docker.io/library/python:latest"),
        ("docker://python:3.12", "docker.io/library/python:3.12"),
        ("docker.io/python", "docker.io/library/python:latest"),
        ("index.docker.io/python", "docker.io/library/python:latest"),
        ("pytorch/pytorch:2.9.0", "docker.io/pytorch/pytorch:2.9.0"),
        ("Registry.Example.com/team/app", "registry.example.com/team/app:latest"),
        ("registry.example.com:5000/a/b/c:V1", "registry.example.com:5000/a/b/c:V1"),
        ("localhost/app:1", "localhost/app:1"),
        (f"python@{DIGEST}", f"docker.io/library/python@{DIGEST}"),
        (f"python:3.12@{DIGEST}", f"docker.io/library/python@{DIGEST}"),
    ],
)
def test_names_are_completed(text: str, name: str) -> None:
    """As docker does. A digest decides alone: engines ignore a tag beside it."""
    assert image_name(text).text == name


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "Python",
            "team/App",
            "a//b",
            "/a",
            "a/",
            "a:",
            "a@",
            "a@sha256:12",
            "a@md5:12",
            "a b",
            "a\n",
            "-a",
            "a:-b",
        ],
        *["../a", "a/../b", "a/./b", ".a/b", "registry.example.com/", "a?", "a*", "https://a/b", "docker://", "a:b:c"],
        *[
            "docker-archive:/etc/passwd",
            "oci-archive:/x",
            "user@host.example/x",
            f"{'a/' * 130}a",
            "ａ",
            "a%2fb",
            "a\\b",
        ],
    ],
)
def test_other_texts_are_no_names(text: str) -> None:
    """Engines never see them."""
    with pytest.raises(Invalid, match="is not the name of a container image"):
        image_name(text)


@pytest.mark.parametrize(
    ("pattern", "allowed", "refused"),
    [
        (
            "docker.io/library/*",
            ["python", "python:3.12", f"python@{DIGEST}", "docker.io/library/python", "index.docker.io/library/python"],
            ["pytorch/pytorch", "library/a/b", "r.example.com/library/python", "docker.io.evil.example/library/a"],
        ),
        (
            "r.example.com/team/*",
            ["r.example.com/team/app:1", "R.EXAMPLE.COM/team/app"],
            ["r.example.com/team/a/b", "r.example.com:5000/team/app", "r.example.com/teams/app", "team/app"],
        ),
        ("registry.example.com/**", ["registry.example.com/a/b/c:1"], ["registry.example.company/a", "docker.io/a/b"]),
        (
            "docker.io/team/app:1.*",
            ["team/app:1.2", "team/app:1.a-b"],
            ["team/app", "team/app:2", "team/app:1", f"team/app:1.2@{DIGEST}", f"team/app@{DIGEST}"],
        ),
        ("docker.io/team/app:*", ["team/app:x", "team/app"], [f"team/app@{DIGEST}"]),
        (
            f"docker.io/team/app@{DIGEST}",
            [f"team/app@{DIGEST}", f"team/app:9@{DIGEST}"],
            ["team/app", f"team/app@{DIGEST[:-1]}b"],
        ),
        ("docker.io/team/app:v1@sha256:*", ["team/app:v1", f"team/app@{DIGEST}"], ["team/app:v2"]),
        ("docker.io/team/app-?", ["team/app-1:x"], ["team/app-12", "team/app"]),
        ("docker.io/team/a.b", ["team/a.b"], ["team/a-b", "team/axb"]),
        ("docker.io/team/app:V1", ["team/app:V1"], ["team/app:v1"]),
    ],
)  # fmt: skip
def test_patterns_let_in_what_they_say(pattern: str, allowed: list[str], refused: list[str]) -> None:
    """And nothing else."""
    assert {name: is_allowed(pattern, name) for name in (*allowed, *refused)} == {
        **dict.fromkeys(allowed, True),
        **dict.fromkeys(refused, False),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *[
            (text, "is not REGISTRY/PATH")
            for text in ("*", "**", "*/x", "*.example.com/x", "docker.io", "", "docker.io/")
        ],
        *[(text, "is not REGISTRY/PATH") for text in ("docker.io/[ab]", "docker.io/Team/*", "docker.io/a b", "a.b//c")],
        *[(text, "names no registry") for text in ("library/*", "team/app:1")],
        *[(text, "matches no image") for text in ("docker.io/*", "docker.io/python:3.12")],
        ("index.docker.io/library/*", "this registry is called docker.io"),
    ],
)
def test_patterns_that_say_something_else_are_refused(text: str, message: str) -> None:
    """At the start of the hub, with a hint."""
    with pytest.raises(UsageError) as caught:
        ImagePattern.parse(text)

    assert message in caught.value.message
    assert caught.value.hint != ""


@given(NAMES)
def test_a_complete_name_stays_as_it_is(name: ImageName) -> None:
    """And allows itself and no other tag."""
    pattern = ImagePattern.parse(name.text)

    assert image_name(name.text) == name
    assert pattern.matches(name)
    assert not pattern.matches(name._replace(tag=f"{name.tag}x"))


@given(NAMES, REGISTRIES, st.text("ab*?/.-", min_size=1, max_size=12))
def test_no_pattern_crosses_a_registry(name: ImageName, registry: str, rest: str) -> None:
    """Whatever stands behind it."""
    try:
        pattern = ImagePattern.parse(f"{registry}/{rest}")
    except UsageError:
        return
    if pattern.matches(name):
        assert name.registry == registry


@given(NAMES)
def test_a_star_stays_in_its_folder(name: ImageName) -> None:
    """Two do not."""
    folder = name.path.rpartition("/")[0]
    here = f"{name.registry}/{folder}/*" if folder else f"{name.registry}/**"

    assert ImagePattern.parse(here).matches(name)
    assert ImagePattern.parse(f"{name.registry}/**").matches(name)
    if folder:
        assert not ImagePattern.parse(here).matches(name._replace(path=f"{name.path}/below"))


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    """A name begins with its registry, so that no engine takes it for a flag, and has no other characters."""
    try:
        found = image_name(text).text
    except Invalid:
        return
    assert found[0].isalnum()
    assert found.isascii()
    assert image_name(found).text == found
