"""The source code of a job from a git repository, cloned on this machine by its git."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping

from lightboard.errors import UsageError

SETTINGS = frozenset({"repo", "branch", "commit"})


@contextlib.contextmanager
def cloned(git_config: Mapping[str, str], source_dir: str | None) -> Iterator[str]:
    """The folder `source_dir` of a new clone, "" or None for all of it. The clone is deleted at the end.

    `git_config` has `repo`, and `branch` or `commit` if it is not the last commit of the default branch. Raises
    UsageError if there is no git, it cannot clone, or the repository has no such folder.
    """
    check_settings(git_config)
    with tempfile.TemporaryDirectory() as parent:
        clone = os.path.join(parent, "clone")
        branch, commit = git_config.get("branch"), git_config.get("commit")
        run_git("clone", "--quiet", *([f"--branch={branch}"] if branch else []), "--", git_config["repo"], clone)
        if commit:
            run_git("-C", clone, "checkout", "--quiet", "--detach", commit)
        folder = os.path.realpath(os.path.join(clone, source_dir or "."))
        if not os.path.isdir(folder) or os.path.commonpath([folder, os.path.realpath(clone)]) != os.path.realpath(
            clone
        ):
            raise UsageError(
                f"{git_config['repo']} has no folder {source_dir}", hint="with git_config, source_dir is a path in it"
            )
        yield folder


def check_settings(git_config: Mapping[str, str]) -> None:
    """Raises UsageError for settings that are none, and for logins, which other users of this machine could see."""
    if not git_config.get("repo"):
        raise UsageError("git_config has no repo", hint='for example {"repo": "https://host/team/code.git"}')
    if other := sorted(git_config.keys() - SETTINGS):
        raise UsageError(
            f"git_config cannot have {other[0]}",
            hint=f"it has {', '.join(sorted(SETTINGS))}; logins are those of git, by a credential helper or SSH",
        )


def run_git(*words: str) -> None:
    """Runs git. Raises UsageError with what it says."""
    try:
        program = ["git", *words]
        done = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603  # by settings of the user
    except FileNotFoundError:
        raise UsageError("there is no git on this machine", hint="install it, or clone and give source_dir") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["it failed"]
        raise UsageError(f"git: {said[-1]}", hint="check repo, branch and commit of git_config")
