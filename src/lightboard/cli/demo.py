"""`lightboard demo`: a first look without logs of one's own.

Trains a handful of very small networks, writes what they log into a folder that is removed at the end, opens the board
on it, and goes on training one more run while you watch. All numbers are what the training gave; only the wall times of
the finished runs are set, as if each step had taken as long as a step of the live one.
"""

import argparse
import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from lightboard.asgi.ending import end_on_signals
from lightboard.board.start import start
from lightboard.cli.board import remarks, settings_of
from lightboard.cli.demo_folder import DemoFolder
from lightboard.cli.demo_views import EVERY, about, looks, write_embedding
from lightboard.cli.event_writer import EventWriter
from lightboard.cli.output import say
from lightboard.cli.training import Recipe, copy_of, new_network, train
from lightboard.errors import UsageError

STEPS = 400
STEP_SECS = 0.25
"""Pace of the live run: quick enough to see it move, slow enough for a day."""

FINISHED = {
    "plain/lr-0.01": Recipe(lr=0.01, seed=1),
    "plain/lr-0.05": Recipe(lr=0.05, seed=2),
    "plain/lr-0.2": Recipe(lr=0.2, seed=3),
    "momentum/lr-0.01": Recipe(lr=0.01, momentum=0.9, seed=4),
    "momentum/lr-0.03": Recipe(lr=0.03, momentum=0.9, seed=5),
    "momentum/lr-0.85-diverges": Recipe(lr=0.85, momentum=0.9, seed=6),
}
RESTARTED = "restarts/killed-at-260"
LIVE = "live/training-now"


def run(asked: argparse.Namespace) -> NoReturn:
    """Serves the demo until interrupted."""
    if asked.logdir or asked.logdir_spec or asked.path:
        raise UsageError("demo brings its own logs", hint="lightboard --logdir DIR shows yours")
    end_on_signals()  # from here on there is something to remove
    temporary = DemoFolder()
    folder = temporary.path
    try:
        settings = replace(
            settings_of(argparse.Namespace(**vars(asked) | {"logdir": str(folder)})),
            window_title=asked.window_title or "Lightboard demo",
            home="",  # what is added to runs of the demo goes with them
        )
        for line in remarks(asked, settings):
            say(line)
        say(f"training {len(FINISHED) + 1} small networks in {folder} ...")
        write_finished(folder, time.time())
        threading.Thread(target=train_live, args=(folder,), name="demo", daemon=True).start()
        start(settings, say, on_leave=temporary.remove)
    except BaseException:
        temporary.remove()
        raise


def write_finished(folder: Path, now: float) -> None:
    """Runs that ended in the last hour, one after another."""
    began = now - STEPS * STEP_SECS * (len(FINISHED) + 2)
    for name, recipe in FINISHED.items():
        write_run(folder / name, recipe, began)
        began += STEPS * STEP_SECS
    write_restarted(folder / RESTARTED, replace(FINISHED["plain/lr-0.2"], seed=7), began)


def write_run(folder: Path, recipe: Recipe, began: float) -> None:
    """One run from beginning to end."""
    network = new_network(recipe)
    writer = EventWriter(folder, wall_time=began)
    writer.add_values(0, about(recipe, config_of(recipe), folder.parent.name), began)
    for step, values in train(recipe, network=network, steps=STEPS):
        wall_time = began + step * STEP_SECS
        writer.add_scalars(step, values, wall_time)
        if step % EVERY == 0 or step == STEPS - 1:
            writer.add_values(step, looks(network), wall_time)
    writer.close()
    write_embedding(folder, network)


def config_of(recipe: Recipe) -> dict[str, float | str]:
    """A recipe as hyper-parameters."""
    optimizer = "momentum" if recipe.momentum else "plain"
    return {
        "lr": recipe.lr,
        "optimizer": optimizer,
        "momentum": recipe.momentum,
        "hidden_units": recipe.hidden,
        "batch_size": recipe.batch,
    }


def write_restarted(folder: Path, recipe: Recipe, began: float) -> None:
    """A run that was killed at step 260 and went on from its checkpoint of step 200 with other batches."""
    network = new_network(recipe)
    checkpoint = copy_of(network)
    writer = EventWriter(folder, wall_time=began)
    for step, values in train(recipe, network=network, steps=260):
        writer.add_scalars(step, values, began + step * STEP_SECS)
        if step == 199:
            checkpoint = copy_of(network)
    writer.close()
    again = began + 280 * STEP_SECS
    writer = EventWriter(folder, wall_time=again)
    writer.start_session(200, again)
    for step, values in train(recipe, network=checkpoint, first=200, steps=STEPS - 200):
        writer.add_scalars(step, values, again + (step - 200) * STEP_SECS)
    writer.close()


def train_live(folder: Path) -> None:
    """Trains for ever, a step at a time."""
    recipe = Recipe(lr=0.1, momentum=0.5, period=600, seed=8)
    network = new_network(recipe)
    try:
        writer = EventWriter(folder / LIVE)
        writer.add_values(0, about(recipe, config_of(recipe), "live"), time.time())
        for step, values in train(recipe, network=network):
            writer.add_scalars(step, values, time.time())
            if step % EVERY == 0:
                writer.add_values(step, looks(network), time.time())
            time.sleep(STEP_SECS)
    except OSError as error:
        if os.path.isdir(folder):  # else the demo is over
            say(f"the live run of the demo ended: {error}")
