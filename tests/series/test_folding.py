"""Whose hyper-parameters are whose."""

from collections.abc import Mapping, Sequence

from lightboard.events.decode import new_decoder
from lightboard.series.folding import Setup, setups_of
from lightboard.series.run import Run, RunFile
from lightboard.testing.event_files import hparams_end_record, hparams_start_record, scalar_record

CURVE = [scalar_record("loss", step, 1.0) for step in range(3)]
POINT = scalar_record("hparam/accuracy", 0, 0.9)


def setups(runs: Mapping[str, Sequence[bytes]]) -> dict[str, Setup]:
    """The setup of each run by its name, for runs of one file; ids are places in the mapping."""
    made = []
    for number, (name, records) in enumerate(runs.items()):
        decoder = new_decoder()
        decoder.feed(b"".join(records))
        run = Run(name)
        run.id = run.slot = number
        run.set_files((RunFile(name, decoder),))
        made.append(run)
    found = setups_of(made)
    return {run.name: found[run.id] for run in made if run.id in found}


def test_a_run_has_its_own() -> None:
    """And one without any has no setup."""
    assert setups({"a": [hparams_start_record({"lr": 0.1}, "g"), *CURVE], "b": CURVE}) == {
        "a": Setup({"lr": 0.1}, "g", "unknown", None)
    }


def test_a_run_of_nothing_else_describes_the_one_above() -> None:
    """torch's add_hparams with run_name="hp": hyper-parameters, an outcome, one point of each metric."""
    said = [hparams_start_record({"lr": 0.1}), hparams_end_record(), POINT]
    assert setups({"base": CURVE, "base/hp": said}) == {
        "base": Setup({"lr": 0.1}, "", "success", None),
        "base/hp": Setup({"lr": 0.1}, "", "success", 0),
    }


def test_what_a_run_says_itself_wins() -> None:
    """Over what is folded into it."""
    own = [hparams_start_record({"lr": 0.2, "layers": 4.0}, "own"), *CURVE]
    found = setups(
        {"base": own, "base/hp": [hparams_start_record({"lr": 0.1, "seed": 7.0}, "g"), hparams_end_record(2)]}
    )
    assert found["base"] == Setup({"lr": 0.2, "seed": 7.0, "layers": 4.0}, "own", "failure", None)


def test_several_that_agree_describe_one_run() -> None:
    """add_hparams after every epoch makes a run each time."""
    found = setups(
        {
            "base": CURVE,
            "base/1": [hparams_start_record({"lr": 0.1}), POINT],
            "base/2": [hparams_start_record({"lr": 0.1, "epochs": 2.0}), POINT],
        }
    )
    assert {name: setup.folded_into for name, setup in found.items()} == {"base": None, "base/1": 0, "base/2": 0}
    assert found["base"].config == {"lr": 0.1, "epochs": 2.0}


def test_several_that_contradict_each_other_are_trials() -> None:
    """Each stays a row; the run above has none of their parameters."""
    found = setups(
        {
            "base": CURVE,
            "base/1": [hparams_start_record({"lr": 0.1}), POINT],
            "base/2": [hparams_start_record({"lr": 0.2}), POINT],
        }
    )
    assert {name: (setup.config, setup.folded_into) for name, setup in found.items()} == {
        "base/1": ({"lr": 0.1}, None),
        "base/2": ({"lr": 0.2}, None),
    }


def test_a_flag_and_a_number_contradict_each_other() -> None:
    """True is not 1."""
    found = setups(
        {"base": CURVE, "base/1": [hparams_start_record({"x": True})], "base/2": [hparams_start_record({"x": 1.0})]}
    )
    assert [setup.folded_into for setup in found.values()] == [None, None]


def test_a_run_with_curves_describes_no_other() -> None:
    """Two points of one tag are a curve."""
    found = setups({"base": CURVE, "base/long": [hparams_start_record({"lr": 0.1}), *CURVE]})
    assert found == {"base/long": Setup({"lr": 0.1}, "", "unknown", None)}


def test_there_must_be_something_to_describe() -> None:
    """A folder above that is no run, or an empty one, stands for nobody."""
    said = [hparams_start_record({"lr": 0.1}), POINT]
    assert setups({"base/hp": said})["base/hp"].folded_into is None
    assert setups({"base": [], "base/hp": said})["base/hp"].folded_into is None


def test_the_logdir_itself_can_be_described() -> None:
    """Its name is a dot."""
    assert setups({".": CURVE, "hp": [hparams_start_record({"lr": 0.1})]})["hp"].folded_into == 0


def test_runs_below_a_session_have_its_parameters() -> None:
    """Keras writes them above train and validation."""
    said = [hparams_start_record({"lr": 0.1}, "g"), hparams_end_record()]
    expected = Setup({"lr": 0.1}, "g", "success", None)
    assert setups({"a": said, "a/train": CURVE, "a/deep/er": CURVE, "b": CURVE}) == {
        "a": expected,
        "a/train": expected,
        "a/deep/er": expected,
    }


def test_a_session_with_runs_below_stays() -> None:
    """Even where the run above has curves."""
    found = setups({".": CURVE, "a": [hparams_start_record({"lr": 0.1})], "a/train": CURVE})
    assert {name: setup.folded_into for name, setup in found.items()} == {"a": None, "a/train": None}
