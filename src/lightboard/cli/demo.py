"""`lightboard demo`: a board with example logs, for a first look.

Trains a few very small networks, writes their logs to a temporary folder, serves it, and trains one more run while the
board is open. All values are results of the training. Only the wall times of finished runs are made up, as if each step
had taken as long as a step of the live run.
"""

import argparse
import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from lightboard.asgi.signals import interrupt_on_signals
from lightboard.board.start import start
from lightboard.cli.board import settings_of, startup_notes
from lightboard.cli.demo_folder import DemoFolder
from lightboard.cli.demo_views import VIEW_EVERY, setup_values, view_values, write_embedding
from lightboard.cli.event_writer import EventWriter
from lightboard.cli.output import say
from lightboard.cli.training import Recipe, copy_of, new_network, train
from lightboard.errors import UsageError

STEPS = 400
STEP_SECS = 0.25
"""Time between steps of the live run: short enough to see it progress, long enough to run for a day."""

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


def run(args: argparse.Namespace) -> NoReturn:
    """Serve the demo until interrupted. Raises UsageError if a folder is given."""
    if args.logdir or args.logdir_spec or args.path:
        raise UsageError("demo brings its own logs", hint="lightboard --logdir DIR shows yours")
    interrupt_on_signals()  # so that the folder is removed
    temporary = DemoFolder()
    folder = temporary.path
    try:
        settings = replace(
            settings_of(argparse.Namespace(**vars(args) | {"logdir": str(folder)})),
            window_title=args.window_title or "Lightboard demo",
            home="",  # keep annotations in memory, since the runs are temporary
        )
        for line in startup_notes(args, settings):
            say(line)
        say(f"training {len(FINISHED) + 1} small networks in {folder} ...")
        write_finished(folder, time.time())
        threading.Thread(target=train_live, args=(folder,), name="demo", daemon=True).start()
        start(settings, say, on_leave=temporary.remove)
    except BaseException:
        temporary.remove()
        raise


def write_finished(folder: Path, now: float) -> None:
    """Write the finished runs. They ended in the last hour, one after another."""
    began = now - STEPS * STEP_SECS * (len(FINISHED) + 2)
    for name, recipe in FINISHED.items():
        write_run(folder / name, recipe, began)
        began += STEPS * STEP_SECS
    write_restarted(folder / RESTARTED, replace(FINISHED["plain/lr-0.2"], seed=7), began)


def write_run(folder: Path, recipe: Recipe, began: float) -> None:
    """Write one complete run that began at `began`, in seconds since the epoch."""
    network = new_network(recipe)
    writer = EventWriter(folder, wall_time=began)
    writer.add_values(0, setup_values(recipe, config_of(recipe), folder.parent.name), began)
    for step, values in train(recipe, network=network, steps=STEPS):
        wall_time = began + step * STEP_SECS
        writer.add_scalars(step, values, wall_time)
        if step % VIEW_EVERY == 0 or step == STEPS - 1:
            writer.add_values(step, view_values(network), wall_time)
    writer.close()
    write_embedding(folder, network)


def config_of(recipe: Recipe) -> dict[str, float | str]:
    """The hyperparameters of a recipe."""
    optimizer = "momentum" if recipe.momentum else "plain"
    return {
        "lr": recipe.lr,
        "optimizer": optimizer,
        "momentum": recipe.momentum,
        "hidden_units": recipe.hidden,
        "batch_size": recipe.batch,
    }


def write_restarted(folder: Path, recipe: Recipe, began: float) -> None:
    """Write a run that was killed at step 260 and continued from its checkpoint of step 200 with other batches."""
    network = new_network(recipe)
    checkpoint = copy_of(network)
    writer = EventWriter(folder, wall_time=began)
    for step, values in train(recipe, network=network, steps=260):
        writer.add_scalars(step, values, began + step * STEP_SECS)
        if step == 199:
            checkpoint = copy_of(network)
    writer.close()
    restarted_at = began + 280 * STEP_SECS
    writer = EventWriter(folder, wall_time=restarted_at)
    writer.start_session(200, restarted_at)
    for step, values in train(recipe, network=checkpoint, first=200, steps=STEPS - 200):
        writer.add_scalars(step, values, restarted_at + (step - 200) * STEP_SECS)
    writer.close()


def train_live(folder: Path) -> None:
    """Train the live run without end, one step every STEP_SECS."""
    recipe = Recipe(lr=0.1, momentum=0.5, period=600, seed=8)
    network = new_network(recipe)
    try:
        writer = EventWriter(folder / LIVE)
        writer.add_values(0, setup_values(recipe, config_of(recipe), "live"), time.time())
        for step, values in train(recipe, network=network):
            writer.add_scalars(step, values, time.time())
            if step % VIEW_EVERY == 0:
                writer.add_values(step, view_values(network), time.time())
            time.sleep(STEP_SECS)
    except OSError as error:
        if os.path.isdir(folder):  # otherwise the demo has ended
            say(f"the live run of the demo ended: {error}")
