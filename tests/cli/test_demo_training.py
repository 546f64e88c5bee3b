"""The demo trains a real small network and writes valid logs."""

import math
import pathlib

from lightboard.cli.demo import FINISHED, LIVE, RESTARTED, STEPS, write_finished
from lightboard.cli.event_writer import EventWriter
from lightboard.cli.training import Recipe, gradients_of, new_network, predict, spirals, train
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.series.catalog import Catalog
from lightboard.testing.fakes import points_of


def catalog_of(folder: pathlib.Path) -> Catalog:
    catalog = Catalog()
    Loader(catalog, sources(str(folder)), LoaderOptions(threads=0)).load()
    return catalog


def test_written_logs_can_be_read(tmp_path: pathlib.Path) -> None:
    """Bit for bit."""
    writer = EventWriter(tmp_path, wall_time=5.0)
    writer.add_scalars(0, {"a": 1.5, "ключ": math.nan}, 5.25)
    writer.add_scalars(2**40, {"a": 1e300}, 6.25)
    writer.close()

    run = catalog_of(tmp_path).run(".")

    assert points_of(run.parts("a")) == [(0, 1.5), (2**40, math.inf)]
    assert repr(points_of(run.parts("ключ"))) == "[(0, nan)]"
    assert (run.start_wall_time, run.last_wall_time, run.damage()) == (5.0, 6.25, [])


def test_the_network_learns() -> None:
    """Test accuracy rises well above chance."""
    accuracy = [
        values["validation/accuracy"]
        for _, values in train(Recipe(lr=0.2, seed=3), steps=STEPS)
        if "validation/accuracy" in values
    ]

    assert accuracy[0] < 0.7
    assert accuracy[-1] > 0.9


def test_gradients_match_finite_differences() -> None:
    """Each compared with a difference of losses."""
    network, batch = new_network(Recipe(lr=0.1, hidden=4)), spirals(16, seed=9)

    def loss() -> float:
        return sum((predict(network, x, y) - side) ** 2 for x, y, side in batch) / len(batch)

    _, gradients, _ = gradients_of(network, batch)
    for unit, gradient in zip(network.units, gradients, strict=True):
        for place in range(4):
            kept, unit[place] = unit[place], unit[place] + 1e-6
            above = loss()
            unit[place] = kept - 1e-6
            below = loss()
            unit[place] = kept
            assert math.isclose(gradient[place], (above - below) / 2e-6, rel_tol=1e-3, abs_tol=1e-6)


def test_training_is_deterministic() -> None:
    """The demo looks the same everywhere."""
    assert list(train(Recipe(lr=0.1), steps=20)) == list(train(Recipe(lr=0.1), steps=20))


def test_the_finished_runs_show_groups_a_divergence_and_a_restart(tmp_path: pathlib.Path) -> None:
    """What real logs look like."""
    write_finished(tmp_path, now=1_000_000.0)
    catalog = catalog_of(tmp_path)
    runs = {run.name: run for run in catalog.runs()}

    assert sorted(runs) == sorted([*FINISHED, RESTARTED])
    assert LIVE not in runs
    losses = points_of(runs["momentum/lr-0.85-diverges"].parts("train/loss"))
    assert math.isnan(losses[-1][1])
    restarted = runs[RESTARTED]
    assert [(restart.step, restart.reason) for restart in restarted.list_restarts()] == [(200, "start")]
    shown, kept = (points_of(restarted.parts("train/loss"), purge=purge) for purge in (True, False))
    assert [step for step, _ in shown] == list(range(STEPS))
    assert len(kept) == STEPS + 60
    assert max(run.last_wall_time for run in runs.values()) < 1_000_000.0
