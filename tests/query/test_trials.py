"""Trials: which runs they are, their hyperparameters and metrics."""

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


def experiment_record() -> bytes:
    """An experiment with one parameter and two metrics."""
    rate = bytes_field(1, b"lr") + bytes_field(2, b"Rate") + bytes_field(3, b"speed")
    metrics = [("val", "loss", "Loss"), ("", "gone", "")]
    content = bytes_field(4, rate)
    for group, tag, name in metrics:
        both = bytes_field(1, group.encode()) + bytes_field(2, tag.encode())
        content += bytes_field(5, bytes_field(1, both) + bytes_field(3, name.encode()))
    return summary_record([bare_value("_hparams_/experiment", summary_metadata("hparams", bytes_field(2, content)))])


def series(tag: str) -> list[bytes]:
    """A series of one tag."""
    return [scalar_record(tag, step, 1.0) for step in range(3)]


SESSIONS = {
    "a": [hparams_start_record({"lr": 0.1, "opt": "sgd"}), *series("acc")],
    "a/val": series("loss"),
    "b": [hparams_start_record({"lr": 0.2, "opt": "sgd"}), hparams_end_record(2)],
    "b/val/deep": series("loss"),
    "other": series("loss"),
}


def test_metrics_come_from_runs_below_the_session() -> None:
    """Runs outside of sessions are no trials."""
    study = read_study(provider_of(SESSIONS))

    assert study.trials == [
        Trial(0, None, None, "", "", {"": [0], "val": [1]}),
        Trial(2, None, None, "", "", {"": [2], "val/deep": [3]}),
    ]
    assert study.experiment.metrics == tuple(
        Metric(MetricName(group, tag)) for group, tag in (("", "acc"), ("val", "loss"), ("val/deep", "loss"))
    )
    assert study.counts == [1, 1, 1]


def test_described_runs_are_the_trials() -> None:
    """With the metrics of the describing run. Folded runs keep their names."""
    session = [hparams_start_record({"lr": 0.1}), scalar_record("hparam/acc", 0, 0.9)]
    study = read_study(provider_of({"base": series("loss"), "base/both_x": series("both"), "base/hp": session}))

    assert [trial.members for trial in study.trials] == [{"": [0, 2], "both_x": [1]}]
    assert [(metric.name.group, metric.name.tag) for metric in study.experiment.metrics] == [
        ("", "hparam/acc"),
        ("", "loss"),
        ("both_x", "both"),
    ]


def test_declarations_are_completed() -> None:
    """With types, domains, and undeclared hyperparameters and metrics; differing ones first."""
    study = read_study(provider_of(SESSIONS | {"config": [experiment_record()]}))

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


def test_logs_without_hyperparameters_have_no_trials() -> None:
    """And no metrics."""
    study = read_study(provider_of({"a": series("loss")}))

    assert (study.trials, study.experiment.metrics, study.experiment.parameters) == ([], (), ())


def test_declared_experiments_are_not_completed() -> None:
    """On TensorBoard's routes, where undeclared columns do not exist."""
    provider = provider_of(SESSIONS | {"config": [experiment_record()]})
    experiment = read_experiment(provider, read_sessions(provider))

    assert experiment.parameters == (Parameter("lr", "Rate", "speed"),)
    assert [metric.name for metric in experiment.metrics] == [MetricName("val", "loss"), MetricName("", "gone")]


def test_experiments_are_inferred() -> None:
    """Numbers become intervals, text and booleans lists; differing ones first, then by name."""
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


def test_trials_have_start_times_and_urls() -> None:
    """As written by the session."""
    info = bytes_field(2, b"m://x") + bytes_field(3, b"http://y") + double_field(5, 7.0)
    value = bare_value("_hparams_/session_start_info", summary_metadata("hparams", bytes_field(3, info)))

    assert read_study(provider_of({"a": [summary_record([value])]})).trials == [
        Trial(0, 7.0, None, "m://x", "http://y", {"": [0]})
    ]


def test_experiments_are_merged() -> None:
    """Parameters, domains and metrics of two sweeps, in both APIs."""

    def sweep(parameters: Sequence[bytes], metric: bytes) -> bytes:
        content = b"".join(bytes_field(4, one) for one in parameters)
        content += bytes_field(5, bytes_field(1, bytes_field(2, metric)))
        return summary_record(
            [bare_value("_hparams_/experiment", summary_metadata("hparams", bytes_field(2, content)))]
        )

    def with_values(name: bytes, *words: bytes) -> bytes:
        return bytes_field(1, name) + bytes_field(5, b"".join(bytes_field(1, bytes_field(3, word)) for word in words))

    def with_interval(name: bytes, low: float, high: float) -> bytes:
        return bytes_field(1, name) + bytes_field(6, double_field(1, low) + double_field(2, high))

    one = sweep([with_values(b"optimizer", b"sgd"), with_interval(b"lr", 0.1, 1.0)], b"loss")
    two = sweep(
        [with_interval(b"lr", 0.01, 0.5), with_values(b"optimizer", b"adam", b"sgd"), with_interval(b"wd", 0.0, 1.0)],
        b"acc",
    )
    provider = provider_of(
        {
            "one": [one, hparams_start_record({"optimizer": "sgd", "lr": 0.1}), *series("loss")],
            "two": [two, hparams_start_record({"optimizer": "adam", "lr": 0.5, "wd": 0.0}), *series("acc")],
        }
    )
    theirs = read_experiment(provider, read_sessions(provider))
    domains = {one.name: one.values or one.interval for one in theirs.parameters}
    assert domains == {"optimizer": ("sgd", "adam"), "lr": Interval(0.01, 1.0), "wd": Interval(0.0, 1.0)}
    assert [metric.name.tag for metric in theirs.metrics] == ["loss", "acc"]
    ours = read_study(provider).experiment
    assert {one.name: one.values or one.interval for one in ours.parameters} == domains
