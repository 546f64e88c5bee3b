"""Sources that may not be left: links are skipped and counted, and swapped folders are not read."""

import os
import pathlib

from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.series.catalog import Catalog
from lightboard.testing.fakes import event_file


def write(folder: pathlib.Path, *runs: str) -> None:
    """Write runs with three points each."""
    for run in runs:
        (folder / run).mkdir(parents=True)
        (folder / run / "tfevents.1").write_bytes(event_file("x", [(step, float(step)) for step in range(3)]))


def load(*folders: pathlib.Path, follow_links: bool = False) -> tuple[Catalog, Loader]:
    """Load these folders without threads."""
    spec = ",".join(f"{folder.name}:{folder}" for folder in folders)
    catalog = Catalog()
    loader = Loader(catalog, sources(logdir_spec=spec, follow_links=follow_links), LoaderOptions(threads=0))
    loader.load()
    return catalog, loader


def names(catalog: Catalog) -> list[str]:
    return sorted(run.name for run in catalog.runs())


def test_links_are_followed_by_default(tmp_path: pathlib.Path) -> None:
    """As in TensorBoard. Confined sources skip and count them."""
    write(tmp_path / "logs", "a")
    write(tmp_path / "out", "b")
    (tmp_path / "logs" / "link").symlink_to(tmp_path / "out")

    free, confined = load(tmp_path / "logs", follow_links=True)[0], load(tmp_path / "logs")[0]
    assert (names(free), free.skipped_links) == (["logs/a", "logs/link/b"], 0)
    assert (names(confined), confined.skipped_links) == (["logs/a"], 1)


def test_links_to_another_logdir_are_followed(tmp_path: pathlib.Path) -> None:
    """Its runs appear twice, under both names."""
    write(tmp_path / "one", "a")
    write(tmp_path / "two", "b")
    (tmp_path / "one" / "link").symlink_to(tmp_path / "two")

    catalog, _ = load(tmp_path / "one", tmp_path / "two")
    assert (names(catalog), catalog.skipped_links) == (["one/a", "one/link/b", "two/b"], 0)


def test_a_linked_logdir_is_resolved_once(tmp_path: pathlib.Path) -> None:
    """At start. Where the link leads later does not matter."""
    write(tmp_path / "real", "a")
    write(tmp_path / "out", "secret")
    (tmp_path / "logs").symlink_to(tmp_path / "real")
    catalog, loader = load(tmp_path / "logs")
    (tmp_path / "logs").unlink()
    (tmp_path / "logs").symlink_to(tmp_path / "out")
    loader.refresh()

    assert names(catalog) == ["logs/a"]


def test_skipped_links_are_counted_while_they_exist(tmp_path: pathlib.Path) -> None:
    """Each change of the count is a new generation, so pages update."""
    write(tmp_path / "logs", "a", "b/c")
    catalog, loader = load(tmp_path / "logs")
    seen = []
    for change in (
        lambda: (tmp_path / "logs" / "one").symlink_to("/"),
        lambda: (tmp_path / "logs" / "b" / "two").symlink_to("/etc/hostname"),
        lambda: (tmp_path / "logs" / "one").unlink(),
        lambda: (tmp_path / "logs" / "b").rename(tmp_path / "gone"),
    ):
        before = catalog.generation
        change()
        loader.refresh()
        seen.append((catalog.skipped_links, catalog.generation > before))

    assert seen == [(1, True), (2, True), (1, True), (0, True)]


def test_runs_replaced_by_links_disappear(tmp_path: pathlib.Path) -> None:
    """Until their folder is back."""
    write(tmp_path / "logs", "a", "b")
    write(tmp_path / "out", "secret")
    catalog, loader = load(tmp_path / "logs")
    (tmp_path / "logs" / "a").rename(tmp_path / "kept")
    (tmp_path / "logs" / "a").symlink_to(tmp_path / "out")
    loader.refresh()
    swapped = names(catalog)
    (tmp_path / "logs" / "a").unlink()
    (tmp_path / "kept").rename(tmp_path / "logs" / "a")
    loader.refresh()

    assert (swapped, names(catalog)) == (["logs/b"], ["logs/a", "logs/b"])


def test_confined_runs_equal_unconfined_ones(tmp_path: pathlib.Path) -> None:
    """Three hundred files, with and without threads."""
    write(tmp_path / "logs", *(f"{number // 10}/{number}" for number in range(300)))
    spec = f"logs:{tmp_path / 'logs'}"
    found = []
    for follow_links in (True, False):
        for threads in (0, 2):
            catalog = Catalog()
            loader = Loader(
                catalog, sources(logdir_spec=spec, follow_links=follow_links), LoaderOptions(threads=threads)
            )
            loader.load()
            found.append([(run.name, run.points, run.files[0].size) for run in catalog.runs()])
            loader.stop()

    assert len(found[0]) == 300
    assert found[1:] == found[:-1]


def test_files_replaced_by_links_are_not_read(tmp_path: pathlib.Path) -> None:
    """Neither decoded, nor through a reader opened before."""
    write(tmp_path / "logs", "a")
    write(tmp_path / "out", "secret")
    catalog, loader = load(tmp_path / "logs")
    (file,) = catalog.runs()[0].files
    assert file.reader
    assert file.reader.read(0, 4) == (tmp_path / "logs" / "a" / "tfevents.1").read_bytes()[:4]
    (tmp_path / "logs" / "a" / "tfevents.1").unlink()
    (tmp_path / "logs" / "a" / "tfevents.1").symlink_to(tmp_path / "out" / "secret" / "tfevents.1")
    try:
        data = file.reader.read(0, 4)
    except OSError:
        data = b""
    loader.refresh()

    assert (data, names(catalog), catalog.skipped_links) == (b"", [], 1)
    os.stat(tmp_path / "logs" / "a" / "tfevents.1")  # the link itself works
