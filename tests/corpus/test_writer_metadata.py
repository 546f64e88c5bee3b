"""Hyperparameters and restarts of real writers."""

from lightboard.series.run_setups import RunSetup, find_setups
from support.corpus_reader import load_catalog
from support.tensorboard_answers import LOGDIR

SWEEPS = ("torch_kinds/", "tensorboardx_kinds/", "keras_kinds/", "hparams_api/")


def test_hyperparameters_of_every_writer() -> None:
    """torch, tensorboardX, Lightning, tf.summary, clu and flax; torch stores booleans as numbers."""
    runs = load_catalog(LOGDIR).runs()
    setups = find_setups(runs)
    told = {run.name: setups[run.id] for run in runs if run.id in setups and not run.name.startswith(SWEEPS)}
    found = {name: setup for name, setup in told.items() if setup.folded_into is None}
    hashed = {name: found[name].group_name for name in ("jax/clu", "jax/flax")}

    assert found == {
        "torch/groups/trial_lr_0.1": RunSetup({"bn": 1.0, "layers": 3.0, "opt": "sgd", "lr": 0.1}, "", "success", None),
        "torch/groups/trial_lr_0.01": RunSetup(
            {"bn": 1.0, "layers": 3.0, "opt": "sgd", "lr": 0.01}, "", "success", None
        ),
        "tensorboardx/groups/trial": RunSetup({"lr": 0.1, "opt": "sgd"}, "", "success", None),
        "lightning/line/version_0": RunSetup({"lr": 0.1}, "", "success", None),
        "tensorflow/everything": RunSetup({"opt": "sgd", "lr": 0.1}, "trial", "unknown", None),
        "jax/clu": RunSetup({"lr": 0.1, "name": "line"}, hashed["jax/clu"], "unknown", None),
        "jax/flax": RunSetup({"lr": 0.1}, hashed["jax/flax"], "unknown", None),
    }
    assert [len(name) for name in hashed.values()] == [64, 64]
    names = {run.id: run.name for run in runs}
    assert {name: names[setup.folded_into] for name, setup in told.items() if setup.folded_into is not None} == {
        "torch/groups/train_both_a": "torch/groups",
        "torch/groups/train_both_b": "torch/groups",
        "torch/groups/train_both_c d": "torch/groups",
        "tensorboardx/groups/train/both/a": "tensorboardx/groups",
        "tensorboardx/groups/train/both/b": "tensorboardx/groups",
    }


def test_sessions_of_an_experiment() -> None:
    """With group, end status, and train and validation runs."""
    runs = load_catalog(f"{LOGDIR}/hparams_api").runs()
    setups = find_setups(runs)
    found = {run.name: setups[run.id] for run in runs if run.id in setups}
    own = {name: setup for name, setup in found.items() if "/" not in name}

    assert {name: (setup.config, setup.outcome) for name, setup in own.items()} == {
        **dict.fromkeys(("session_0", "session_1"), (_session(8.0, 0.1, "adam", True, free="x"), "success")),
        "session_2": (_session(16.0, 0.01, "sgd", True, free=3.0), "success"),
        "session_3": (_session(32.0, 3e-4, "adam", False), "failure"),
        "session_4": (_session(64.0, 0.5, "sgd", False, free="y"), "running"),
        "session_5": (_session(64.0, 0.25, "sgd", False, free="z"), "unknown"),
    }
    groups = [setup.group_name for setup in own.values()]
    assert groups[:2] == ["small", "small"]
    assert len(set(groups)) == 5
    assert {name: setup for name, setup in found.items() if "/" in name} == {
        name: own[name.split("/")[0]] for name in found if "/" in name
    }


def _session(units: float, rate: float, optimizer: str, norm: bool, **more: object) -> dict[str, object]:
    return {"units": units, "rate": rate, "optimizer": optimizer, "norm": norm, **more}


def test_restarts_of_real_logs() -> None:
    """purge_step is a START; overlapping files without one restart twice."""
    runs = {run.name: run for run in load_catalog(LOGDIR).runs()}
    restarts = {
        name: [(restart.step, restart.reason) for restart in runs[name].list_restarts()]
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
    assert {
        name: run.restart_count for name, run in runs.items() if name.startswith(steady) and run.restart_count
    } == {}
