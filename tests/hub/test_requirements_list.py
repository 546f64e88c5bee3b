"""Requirements lists: what is read of them, and what is refused."""

import pathlib

import pytest

from lightboard.errors import UsageError
from lightboard.hub.requirements_list import MAX_BYTES, MAX_FILES, RequirementsList, read_list


def read(folder: pathlib.Path, text: str) -> RequirementsList:
    """A list with this text."""
    (folder / "list.txt").write_text(text)
    return read_list(str(folder / "list.txt"))


def test_what_a_list_says_is_read(tmp_path: pathlib.Path) -> None:
    """Without comments and empty lines, continued lines joined."""
    text = "\ufeff# all\ntorch==2.9  # the newest\n\nnumpy \\\n  >=2\n--hash-like \\\n# end\nsix @ https://host/six#egg=six\n"

    assert read(tmp_path, text).files == (
        "torch==2.9\nnumpy   >=2\n--hash-like\nsix @ https://host/six#egg=six\n",
    )  # fmt: skip


def test_included_files_are_part_of_it(tmp_path: pathlib.Path) -> None:
    """By the folder of the file that includes them, once each, also if they include each other."""
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "base.txt").write_text("-r ../list.txt\nsix\n-c limits.txt\n")
    (tmp_path / "more" / "limits.txt").write_text("six<2\n")
    text = "-rmore/base.txt\n--constraint=more/limits.txt\n--requirement 'more/base.txt'\n"

    assert read(tmp_path, text).files == ("-r 1.txt\n-c 2.txt\n-r 1.txt\n", "-r 0.txt\nsix\n-c 2.txt\n", "six<2\n")


def test_a_folder_of_wheels_is_where_it_was(tmp_path: pathlib.Path) -> None:
    """Although pip reads a copy of the list. Other options, and addresses, are as they were."""
    (tmp_path / "wheels").mkdir()
    text = "--find-links wheels\n-f https://host/wheels\n--no-index\n--index-url 'https://${USER}@host/simple'\n"

    assert read(tmp_path, text).files == (
        f"-f {tmp_path}/wheels\n-f https://host/wheels\n--no-index\n--index-url 'https://${{USER}}@host/simple'\n",
    )


def test_a_digest_is_that_of_what_is_installed(tmp_path: pathlib.Path) -> None:
    """The packages, those of included files, the Python version and the platform."""
    (tmp_path / "base.txt").write_text("six\n")
    first = read(tmp_path, "torch\n-r base.txt\n")
    same = read(tmp_path, "# changed\ntorch\n\n-r base.txt")
    (tmp_path / "base.txt").write_text("six==1.17\n")
    changed = read(tmp_path, "torch\n-r base.txt\n")
    digests = [
        first.digest("3.11.7", "linux-x86_64"),
        same.digest("3.11.7", "linux-x86_64"),
        changed.digest("3.11.7", "linux-x86_64"),
        first.digest("3.12.1", "linux-x86_64"),
        first.digest("3.11.7", "linux-aarch64"),
    ]

    assert digests[0] == digests[1]
    assert len({*digests}) == 4


@pytest.mark.parametrize(
    "line",
    [
        "./project", "../project", "/srv/project", "project/", "~/project", "file:///srv/project", "thing-1.0.tar.gz",
        "wheels/thing-1.0-py3-none-any.whl", "thing @ file:///srv/thing.whl", "thing[all] @ ./thing",
        ". ; os_name == 'posix'",
    ],
)  # fmt: skip
def test_local_projects_are_refused(line: str, tmp_path: pathlib.Path) -> None:
    """They may change while the list stays the same."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, f"six\n{line}\n")

    assert caught.value.message == (
        f"{tmp_path}/list.txt: {line}: local projects and archives are not supported, because they may change while "
        "the list stays the same"
    )


@pytest.mark.parametrize(
    "line",
    [
        "torch==2.9; python_version >= '3.11'", "torch [cuda] >=2,<3", "six --hash=sha256:00/11",
        "thing @ git+https://host/thing.git@main", "https://host/thing-1.0.whl", "git+ssh://git@host/thing",
    ],
)  # fmt: skip
def test_what_an_index_or_address_has_is_not(line: str, tmp_path: pathlib.Path) -> None:
    """Whatever form it has."""
    assert read(tmp_path, line).files == (f"{line}\n",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-e ./project", "an editable project is not supported"),
        ("--editable=git+https://host/thing", "an editable project is not supported"),
        ("-r https://host/list.txt", "only files can be included"),
        ("-c", "only files can be included"),
        ("-r 'a", "No closing quotation"),
    ],
)
def test_options_that_are_not_supported_are_refused(line: str, message: str, tmp_path: pathlib.Path) -> None:
    """With the line."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, line)

    assert caught.value.message == f"{tmp_path}/list.txt: {line}: {message}"


def test_files_that_cannot_be_read_are_told(tmp_path: pathlib.Path) -> None:
    """Those that do not exist, are no text, or are too long or too many."""
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "long.txt").write_text("#" * (MAX_BYTES + 1))
    for number in range(MAX_FILES):
        (tmp_path / f"n{number}.txt").write_text(f"-r n{number + 1}.txt\n")
    (tmp_path / f"n{MAX_FILES}.txt").write_text("")
    told = []
    for name in ("missing.txt", "binary.txt", "long.txt", "n0.txt"):
        with pytest.raises(UsageError) as caught:
            read(tmp_path, f"-r {name}")
        told.append(caught.value.message.replace(f"{tmp_path}/", ""))

    assert told == [
        "the requirements list missing.txt cannot be read: No such file or directory",
        "the requirements list binary.txt is not UTF-8",
        "the requirements list long.txt is too long",
        f"list.txt includes more than {MAX_FILES} files",
    ]
