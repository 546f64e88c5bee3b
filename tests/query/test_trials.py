"""Which runs are trials, which belong to each, and what is known of their parameters and metrics."""

from collections.abc import Mapping, Sequence

from lightboard.config import BoardSettings
from lightboard.query.experiment import infer_parameters, read_experiment, read_sessions
from lightboard.query.provider import CatalogProvider
from lightboard.query.trials import Trial, read_study
from lightboard.series.experiment import Interval, Metric, MetricName, Parameter, SessionStart
from lightboard.testing.event_files import (
    bare_value,
    bytes_field,
    double_field,
    hparams_end_record,
    hparams_start_record,
    scalar_record,
    summary_metadata,
    summary_record,
)
from lightboard.testing.fakes import MemoryBoard


def provider_of(runs: Mapping[str, Sequence[bytes]]) -> CatalogProvider:
    """A provider over runs of one file each."""
    files = {f"{name}/events.out.tfevents.0": b"".join(records) for name, records in runs.items()}
    return CatalogProvider(MemoryBoard(files).catalog, BoardSettings(logdir="memory"))


def declared() -> bytes:
    """An experiment with one parameter and two metrics."""
    rate = bytes_field(1, b"lr") + bytes_field(2, b"Rate") + bytes_field(3, b"speed")
    metrics = [("val", "loss", "Loss"), ("", "gone", "")]
    content = bytes_field(4, rate)
    for group, tag, name in metrics:
        both = bytes_field(1, group.encode()) + bytes_field(2, tag.encode())
        content += bytes_field(5, bytes_field(1, both) + bytes_field(3, name.encode()))
    return summary_record([bare_value("_hparams_/experiment", summary_metadata("hparams", bytes_field(2, content)))])


def curve(tag: str) -> list[bytes]:
    """A series of one tag."""
    return [scalar_record(tag, step, 1.0) for step in range(3)]


SESSIONS = {
    "a": [hparams_start_record({"lr": 0.1, "opt": "sgd"}), *curve("acc")],
    "a/val": curve("loss"),
    "b": [hparams_start_record({"lr": 0.2, "opt": "sgd"}), hparams_end_record(2)],
    "b/val/deep": curve("loss"),
    "other": curve("loss"),
}


def test_runs_below_a_session_hold_its_metrics() -> None:
    """Others are no trials and hold none."""
    study = read_study(provider_of(SESSIONS))

    assert study.trials == [
        Trial(0, None, None, "", "", {"": [0], "val": [1]}),
        Trial(2, None, None, "", "", {"": [2], "val/deep": [3]}),
    ]
    assert study.experiment.metrics == tuple(
        Metric(MetricName(group, tag)) for group, tag in (("", "acc"), ("val", "loss"), ("val/deep", "loss"))
    )
    assert study.counts == [1, 1, 1]


def test_a_run_that_is_described_is_the_trial() -> None:
    """With the metrics of the run that describes it; parts keep the name they were written under."""
    said = [hparams_start_record({"lr": 0.1}), scalar_record("hparam/acc", 0, 0.9)]
    study = read_study(provider_of({"base": curve("loss"), "base/both_x": curve("both"), "base/hp": said}))

    assert [trial.members for trial in study.trials] == [{"": [0, 2], "both_x": [1]}]
    assert [(metric.name.group, metric.name.tag) for metric in study.experiment.metrics] == [
        ("", "hparam/acc"),
        ("", "loss"),
        ("both_x", "both"),
    ]


def test_what_was_declared_is_completed() -> None:
    """By types and domains of the values, parameters nobody declared, and metrics; those that differ come first."""
    study = read_study(provider_of(SESSIONS | {"config": [declared()]}))

    assert study.experiment.parameters == (
        Parameter("lr", "Rate", "speed", "float64", None, Interval(0.1, 0.2), True),
        Parameter("opt", type="string", values=("sgd",)),
    )
    assert [(metric.name, count) for metric, count in zip(study.experiment.metrics, study.counts, strict=True)] == [
        (MetricName("val", "loss"), 1),
        (MetricName("", "gone"), 0),
        (MetricName("", "acc"), 1),
        (MetricName("val/deep", "loss"), 1),
    ]


def test_nothing_is_known_of_logs_without_parameters() -> None:
    """No trial, no metric."""
    study = read_study(provider_of({"a": curve("loss")}))

    assert (study.trials, study.experiment.metrics, study.experiment.parameters) == ([], (), ())


def test_an_experiment_counts_as_it_was_declared() -> None:
    """TensorBoard's rule: what nobody declared is not there."""
    provider = provider_of(SESSIONS | {"config": [declared()]})
    experiment = read_experiment(provider, read_sessions(provider))

    assert experiment.parameters == (Parameter("lr", "Rate", "speed"),)
    assert [metric.name for metric in experiment.metrics] == [MetricName("val", "loss"), MetricName("", "gone")]


def test_without_a_declaration_it_is_inferred() -> None:
    """Numbers are intervals, texts and flags lists, a mixture texts; those that differ first, then by name."""
    starts = [
        SessionStart({"n": 2.0, "t": "b", "f": True, "m": 3.0, "z": 1.0}),
        SessionStart({"n": 1.0, "t": "a", "f": True, "m": "x", "z": float("nan")}),
    ]

    assert {parameter.name: parameter for parameter in infer_parameters(starts)} == {
        "n": Parameter("n", type="float64", interval=Interval(1.0, 2.0), differs=True),
        "t": Parameter("t", type="string", values=("a", "b"), differs=True),
        "f": Parameter("f", type="bool", values=(True,)),
        "m": Parameter("m", type="string", values=("3.0", "x"), differs=True),
        "z": Parameter("z", type="float64", interval=Interval(1.0, 1.0), differs=True),
    }


def test_times_and_addresses_of_a_session() -> None:
    """As its writer told them."""
    info = bytes_field(2, b"m://x") + bytes_field(3, b"http://y") + double_field(5, 7.0)
    value = bare_value("_hparams_/session_start_info", summary_metadata("hparams", bytes_field(3, info)))

    assert read_study(provider_of({"a": [summary_record([value])]})).trials == [
        Trial(0, 7.0, None, "m://x", "http://y", {"": [0]})
    ]


def test_several_experiments_of_a_folder_are_one() -> None:
    """Two sweeps side by side: parameters, domains and metrics of both, by TensorBoard's route and by ours."""

    def sweep(parameters: Sequence[bytes], metric: bytes) -> bytes:
        content = b"".join(bytes_field(4, one) for one in parameters)
        content += bytes_field(5, bytes_field(1, bytes_field(2, metric)))
        return summary_record(
            [bare_value("_hparams_/experiment", summary_metadata("hparams", bytes_field(2, content)))]
        )

    def listed(name: bytes, *words: bytes) -> bytes:
        return bytes_field(1, name) + bytes_field(5, b"".join(bytes_field(1, bytes_field(3, word)) for word in words))

    def ranged(name: bytes, low: float, high: float) -> bytes:
        return bytes_field(1, name) + bytes_field(6, double_field(1, low) + double_field(2, high))

    one = sweep([listed(b"optimizer", b"sgd"), ranged(b"lr", 0.1, 1.0)], b"loss")
    two = sweep([ranged(b"lr", 0.01, 0.5), listed(b"optimizer", b"adam", b"sgd"), ranged(b"wd", 0.0, 1.0)], b"acc")
    provider = provider_of(
        {
            "one": [one, hparams_start_record({"optimizer": "sgd", "lr": 0.1}), *curve("loss")],
            "two": [two, hparams_start_record({"optimizer": "adam", "lr": 0.5, "wd": 0.0}), *curve("acc")],
        }
    )
    theirs = read_experiment(provider, read_sessions(provider))
    domains = {one.name: one.values or one.interval for one in theirs.parameters}
    assert domains == {"optimizer": ("sgd", "adam"), "lr": Interval(0.01, 1.0), "wd": Interval(0.0, 1.0)}
    assert [metric.name.tag for metric in theirs.metrics] == ["loss", "acc"]
    ours = read_study(provider).experiment
    assert {one.name: one.values or one.interval for one in ours.parameters} == domains
