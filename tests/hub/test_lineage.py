"""Which job has made a run, by where its files are."""

import pytest

from lightboard.hub.lineage import (
    JobPlaces,
    LogTree,
    Maker,
    maker_of,
    makers_of,
    possible_outputs,
    prefix_of,
    run_places,
)

STORAGE = "/hub/storage/vision"
MNIST = JobPlaces("mnist", f"{STORAGE}/jobs/mnist_aaaaaa", f"{STORAGE}/jobs/mnist_aaaaaa/tensorboard")
LOGGED = JobPlaces("logged", f"{STORAGE}/jobs/logged_bbbbbb", f"{STORAGE}/runs/logged_bbbbbb")
NOTEBOOK = JobPlaces("notes", f"{STORAGE}/notebooks/notes", f"{STORAGE}/notebooks/notes/logs")
JOBS = [MNIST, LOGGED, NOTEBOOK]


@pytest.mark.parametrize(
    ("trees", "run", "places"),
    [
        ([LogTree("/logs")], "a/b", ["/logs/a/b"]),
        ([LogTree("/logs")], ".", ["/logs"]),
        ([LogTree("/logs", "old"), LogTree("/more", "new")], "old/a", ["/logs/a"]),
        ([LogTree("/logs", "old")], "old/.", ["/logs"]),
        ([LogTree("/logs", "old")], "older/a", []),
        ([LogTree("/logs"), LogTree("/more")], "a", ["/logs/a", "/more/a"]),
        ([LogTree("s3://bucket")], "a", ["s3://bucket/a"]),
        ([LogTree("/logs", "a"), LogTree("/more")], "a/b", ["/logs/b", "/more/a/b"]),
    ],
)
def test_a_run_is_below_its_source(trees: list[LogTree], run: str, places: list[str]) -> None:
    """Without the alias; of several sources without aliases in each."""
    assert run_places(trees, run) == places


@pytest.mark.parametrize(
    ("place", "maker"),
    [
        (f"{MNIST.logs}/attempt-2/rank-3", Maker("mnist", 2, 3)),
        (f"{MNIST.logs}/attempt-1/rank-0/validation", Maker("mnist", 1, 0)),
        (f"{MNIST.logs}/attempt-1", Maker("mnist")),
        (MNIST.logs, Maker("mnist")),
        (f"{MNIST.output}/model/events", Maker("mnist")),
        (f"{MNIST.output}x", None),
        (f"{STORAGE}/jobs", None),
        (f"{LOGGED.logs}/attempt-1/rank-0", Maker("logged", 1, 0)),
        (f"{STORAGE}/runs", None),
        (f"{NOTEBOOK.logs}/trial-7", Maker("notes")),
        ("/elsewhere/jobs/mnist_aaaaaa/tensorboard/attempt-1/rank-0", None),
    ],
)
def test_a_job_has_made_what_is_in_its_folders(place: str, maker: Maker | None) -> None:
    """With attempt and replica where its logs are; never by the name of a folder alone."""
    assert makers_of([place], JOBS) == ([maker] if maker else [])


def test_a_board_over_all_storage_finds_each_job() -> None:
    """However many have logs below it."""
    many = [JobPlaces(f"{n}", f"{STORAGE}/jobs/j_{n:06}", f"{STORAGE}/jobs/j_{n:06}/tensorboard") for n in range(500)]
    runs = [f"jobs/j_{n:06}/tensorboard/attempt-1/rank-{n % 4}" for n in range(500)]

    found = [makers_of(run_places([LogTree(STORAGE)], run), many) for run in runs]

    assert found == [[Maker(f"{n}", 1, n % 4)] for n in range(500)]


def test_several_jobs_may_have_made_a_run() -> None:
    """If sources without aliases have runs of one name."""
    places = run_places([LogTree(MNIST.logs), LogTree(LOGGED.logs)], "attempt-1/rank-0")

    assert makers_of(places, JOBS) == [Maker("mnist", 1, 0), Maker("logged", 1, 0)]


def test_of_two_jobs_with_one_folder_the_first_has_made_it() -> None:
    """As of notebooks: a new one has the folder of a deleted one with its name."""
    deleted = JobPlaces("deleted", NOTEBOOK.output, NOTEBOOK.logs)

    assert makers_of([f"{NOTEBOOK.logs}/a"], [NOTEBOOK, deleted]) == [Maker("notes")]
    assert maker_of(f"{NOTEBOOK.logs}/a", deleted) == Maker("deleted")


def test_every_folder_of_a_place_may_be_that_of_a_job() -> None:
    """Of outputs, or of logs elsewhere."""
    assert possible_outputs(["/runs/mnist_aaaaaa/attempt-1"]) == {
        "jobs/runs", "jobs/mnist_aaaaaa", "jobs/attempt-1",
        "notebooks/runs", "notebooks/mnist_aaaaaa", "notebooks/attempt-1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("tree", "prefix"),
    [
        (LogTree(MNIST.logs), ""),
        (LogTree(MNIST.logs, "base"), "base/"),
        (LogTree(STORAGE), "jobs/mnist_aaaaaa/tensorboard/"),
        (LogTree(f"{STORAGE}/jobs", "all"), "all/mnist_aaaaaa/tensorboard/"),
        (LogTree(f"{MNIST.logs}/attempt-2", "second"), "second/"),
        (LogTree(LOGGED.logs), None),
        (LogTree(f"{STORAGE}/job"), None),
    ],
)
def test_a_board_tells_where_the_runs_of_a_job_are(tree: LogTree, prefix: str | None) -> None:
    """What their names begin with, if it shows them."""
    assert prefix_of(tree, MNIST.logs) == prefix
