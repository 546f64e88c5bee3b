"""Assigning hyperparameters to runs."""

from collections.abc import Mapping, Sequence

from lightboard.events.decode import new_decoder
from lightboard.series.run import Run, RunFile
from lightboard.series.run_setups import RunSetup, find_setups
from lightboard.testing.event_files import hparams_end_record, hparams_start_record, scalar_record

SERIES = [scalar_record("loss", step, 1.0) for step in range(3)]
POINT = scalar_record("hparam/accuracy", 0, 0.9)


def setups(runs: Mapping[str, Sequence[bytes]]) -> dict[str, RunSetup]:
    """The setup of each run by name, for runs with one file; ids are positions in the mapping."""
    created = []
    for number, (name, records) in enumerate(runs.items()):
        decoder = new_decoder()
        decoder.feed(b"".join(records))
        run = Run(name)
        run.id = run.slot = number
        run.set_files((RunFile(name, decoder),))
        created.append(run)
    found = find_setups(created)
    return {run.name: found[run.id] for run in created if run.id in found}


def test_runs_have_their_own_hyperparameters() -> None:
    """Runs without any have no setup."""
    assert setups({"a": [hparams_start_record({"lr": 0.1}, "g"), *SERIES], "b": SERIES}) == {
        "a": RunSetup({"lr": 0.1}, "g", "unknown", None)
    }


def test_runs_with_only_hyperparameters_describe_their_parent() -> None:
    """torch's add_hparams with run_name="hp": hyperparameters, an outcome, one point per metric."""
    session = [hparams_start_record({"lr": 0.1}), hparams_end_record(), POINT]
    assert setups({"base": SERIES, "base/hp": session}) == {
        "base": RunSetup({"lr": 0.1}, "", "success", None),
        "base/hp": RunSetup({"lr": 0.1}, "", "success", 0),
    }


def test_own_hyperparameters_win() -> None:
    """Over those folded into the run."""
    own = [hparams_start_record({"lr": 0.2, "layers": 4.0}, "own"), *SERIES]
    found = setups(
        {"base": own, "base/hp": [hparams_start_record({"lr": 0.1, "seed": 7.0}, "g"), hparams_end_record(2)]}
    )
    assert found["base"] == RunSetup({"lr": 0.2, "seed": 7.0, "layers": 4.0}, "own", "failure", None)


def test_equal_sessions_describe_one_run() -> None:
    """add_hparams after every epoch creates one run each time."""
    found = setups(
        {
            "base": SERIES,
            "base/1": [hparams_start_record({"lr": 0.1}), POINT],
            "base/2": [hparams_start_record({"lr": 0.1, "epochs": 2.0}), POINT],
        }
    )
    assert {name: setup.folded_into for name, setup in found.items()} == {"base": None, "base/1": 0, "base/2": 0}
    assert found["base"].config == {"lr": 0.1, "epochs": 2.0}


def test_contradicting_sessions_are_trials() -> None:
    """Each is a row of its own, and their parent has none of their hyperparameters."""
    found = setups(
        {
            "base": SERIES,
            "base/1": [hparams_start_record({"lr": 0.1}), POINT],
            "base/2": [hparams_start_record({"lr": 0.2}), POINT],
        }
    )
    assert {name: (setup.config, setup.folded_into) for name, setup in found.items()} == {
        "base/1": ({"lr": 0.1}, None),
        "base/2": ({"lr": 0.2}, None),
    }


def test_booleans_and_numbers_contradict() -> None:
    """True is not 1."""
    found = setups(
        {"base": SERIES, "base/1": [hparams_start_record({"x": True})], "base/2": [hparams_start_record({"x": 1.0})]}
    )
    assert [setup.folded_into for setup in found.values()] == [None, None]


def test_runs_with_series_describe_no_other() -> None:
    """Two points of one tag are a series."""
    found = setups({"base": SERIES, "base/long": [hparams_start_record({"lr": 0.1}), *SERIES]})
    assert found == {"base/long": RunSetup({"lr": 0.1}, "", "unknown", None)}


def test_hyperparameters_need_a_parent_with_data() -> None:
    """A parent folder that is no run, or an empty one, gets none."""
    session = [hparams_start_record({"lr": 0.1}), POINT]
    assert setups({"base/hp": session})["base/hp"].folded_into is None
    assert setups({"base": [], "base/hp": session})["base/hp"].folded_into is None


def test_the_logdir_itself_can_be_described() -> None:
    """Its run is named "."."""
    assert setups({".": SERIES, "hp": [hparams_start_record({"lr": 0.1})]})["hp"].folded_into == 0


def test_runs_below_a_session_inherit_its_hyperparameters() -> None:
    """Keras writes them above train and validation."""
    session = [hparams_start_record({"lr": 0.1}, "g"), hparams_end_record()]
    expected = RunSetup({"lr": 0.1}, "g", "success", None)
    assert setups({"a": session, "a/train": SERIES, "a/deep/er": SERIES, "b": SERIES}) == {
        "a": expected,
        "a/train": expected,
        "a/deep/er": expected,
    }


def test_sessions_with_runs_below_are_not_folded() -> None:
    """Even if their parent has series."""
    found = setups({".": SERIES, "a": [hparams_start_record({"lr": 0.1})], "a/train": SERIES})
    assert {name: setup.folded_into for name, setup in found.items()} == {"a": None, "a/train": None}


def folded_runs(runs: Mapping[str, Sequence[bytes]]) -> dict[str, int | None]:
    """The run that each run is folded into, for runs with a setup."""
    return {name: setup.folded_into for name, setup in setups(runs).items()}


def series(tag: str) -> list[bytes]:
    """A series of one tag."""
    return [scalar_record(tag, step, 1.0) for step in range(3)]


def test_runs_of_add_scalars_are_folded() -> None:
    """torch joins tag and key, tensorboardX creates folders. Keys may contain spaces."""
    assert folded_runs(
        {
            "base": SERIES,
            "base/a_b_train": series("a/b"),
            "base/a_b_c d": series("a/b"),
            "base/a/b/val": series("a/b"),
        }
    ) == {"base/a_b_train": 0, "base/a_b_c d": 0, "base/a/b/val": 0}


def test_runs_of_add_scalars_may_have_an_empty_parent() -> None:
    """A job that only calls add_scalars leaves a file without values."""
    assert folded_runs({".": [], "both_train": series("both"), "both/val": series("both")}) == {
        "both_train": 0,
        "both/val": 0,
    }


def test_folded_runs_inherit_hyperparameters() -> None:
    """Even from a third folder."""
    session = [hparams_start_record({"lr": 0.1}), POINT]
    assert setups({"base": SERIES, "base/hp": session, "base/both_x": series("both")})["base/both_x"] == RunSetup(
        {"lr": 0.1}, "", "unknown", 0
    )


def test_similar_runs_are_not_folded() -> None:
    """Another tag, a second tag, no parent, or a tag that the parent has too."""
    assert (
        folded_runs(
            {
                "base": SERIES,
                "base/loss_x": SERIES,
                "base/other_x": series("tag"),
                "base/both_": series("both"),
                "base/both_y": [*series("both"), *series("more")],
                "nowhere/both_x": series("both"),
            }
        )
        == {}
    )
