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


def parts(runs: Mapping[str, Sequence[bytes]]) -> dict[str, int | None]:
    """Into which run each is folded, for those of which anything is known."""
    return {name: setup.folded_into for name, setup in setups(runs).items()}


def curve(tag: str) -> list[bytes]:
    """A series of one tag."""
    return [scalar_record(tag, step, 1.0) for step in range(3)]


def test_runs_of_add_scalars_are_parts() -> None:
    """torch joins tag and key, tensorboardX makes folders of them; keys may be odd."""
    assert parts(
        {
            "base": CURVE,
            "base/a_b_train": curve("a/b"),
            "base/a_b_c d": curve("a/b"),
            "base/a/b/val": curve("a/b"),
        }
    ) == {"base/a_b_train": 0, "base/a_b_c d": 0, "base/a/b/val": 0}


def test_the_run_may_hold_nothing_else() -> None:
    """Who only calls add_scalars leaves a file without values; the logdir is a run like any other."""
    assert parts({".": [], "both_train": curve("both"), "both/val": curve("both")}) == {"both_train": 0, "both/val": 0}


def test_a_part_has_what_counts_for_the_whole() -> None:
    """Its hyper-parameters, though they stand in a third folder."""
    said = [hparams_start_record({"lr": 0.1}), POINT]
    assert setups({"base": CURVE, "base/hp": said, "base/both_x": curve("both")})["base/both_x"] == Setup(
        {"lr": 0.1}, "", "unknown", 0
    )


def test_what_only_looks_like_a_part_stays() -> None:
    """Another tag, a second tag, no run above, a tag that the run above holds too: nothing may be hidden."""
    assert (
        parts(
            {
                "base": CURVE,
                "base/loss_x": CURVE,
                "base/other_x": curve("tag"),
                "base/both_": curve("both"),
                "base/both_y": [*curve("both"), *curve("more")],
                "nowhere/both_x": curve("both"),
            }
        )
        == {}
    )
