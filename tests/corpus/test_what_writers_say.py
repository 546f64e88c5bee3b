"""What real writers say of their runs: hyper-parameters as scripts/corpus handed them over, and restarts."""

from answers import LOGDIR
from reading import load

from lightboard.series.folding import Setup, setups_of


def test_every_writer_is_understood() -> None:
    """torch, tensorboardX, Lightning, tf.summary, clu and flax; torch stores a flag as a number and groups nothing."""
    runs = load(LOGDIR).runs()
    setups = setups_of(runs)
    found = {run.name: setups[run.id] for run in runs if run.id in setups}
    hashed = {name: found[name].group_name for name in ("jax/clu", "jax/flax")}

    assert found == {
        "torch/groups/trial_lr_0.1": Setup({"bn": 1.0, "layers": 3.0, "opt": "sgd", "lr": 0.1}, "", "success", None),
        "torch/groups/trial_lr_0.01": Setup({"bn": 1.0, "layers": 3.0, "opt": "sgd", "lr": 0.01}, "", "success", None),
        "tensorboardx/groups/trial": Setup({"lr": 0.1, "opt": "sgd"}, "", "success", None),
        "lightning/line/version_0": Setup({"lr": 0.1}, "", "success", None),
        "tensorflow/everything": Setup({"opt": "sgd", "lr": 0.1}, "trial", "unknown", None),
        "jax/clu": Setup({"lr": 0.1, "name": "line"}, hashed["jax/clu"], "unknown", None),
        "jax/flax": Setup({"lr": 0.1}, hashed["jax/flax"], "unknown", None),
    }
    assert [len(name) for name in hashed.values()] == [64, 64]


def test_restarts_of_real_logs() -> None:
    """purge_step is a START; three files with overlapping steps and no mark went back twice."""
    runs = {run.name: run for run in load(LOGDIR).runs()}
    restarts = {
        name: [(session.step, session.reason) for session in runs[name].sessions()]
        for name in (
            "torch/restart",
            "torch/restart_new_style",
            "tensorboardx/restart",
            "torch/again",
            "hand/supervisor",
        )
    }

    assert restarts == {
        "torch/restart": [(30, "start"), (45, "start")],
        "torch/restart_new_style": [(30, "start"), (45, "start")],
        "tensorboardx/restart": [(30, "start")],
        "torch/again": [(8, "regression"), (16, "regression")],
        "hand/supervisor": [(12, "start"), (25, "start")],
    }
    steady = ("keras/", "lightning/", "transformers/", "jax/", "tensorflow/")
    assert {name: run.restarts for name, run in runs.items() if name.startswith(steady) and run.restarts} == {}
