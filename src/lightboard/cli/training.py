"""Trains a very small network in plain Python, so that the demo has real curves.

The task is to separate two interleaved spirals of noisy points. The network has one hidden layer of leaky ReLU units,
and is trained on the squared error by stochastic gradient descent with momentum. A few hundred steps take a tenth of a
second.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

Point = tuple[float, float, float]
"""x, y, and the label: -1 or 1."""

VALIDATE_EVERY = 10

LEAK = 0.05
"""The slope of a unit below zero, which keeps units from becoming permanently inactive."""


@dataclass(frozen=True)
class Recipe:
    """The hyperparameters of one run.

    The learning rate rises linearly for `warmup` steps, then follows cosines of `period` steps.
    """

    lr: float
    momentum: float = 0.0
    hidden: int = 12
    batch: int = 16
    warmup: int = 20
    period: int = 400
    seed: int = 0

    def lr_at(self, step: int) -> float:
        """The learning rate at a step: a linear warmup, then cosine annealing with restarts after each period."""
        if step < self.warmup:
            return self.lr * (step + 1) / self.warmup
        turn = (step - self.warmup) % self.period / self.period
        return self.lr * (0.05 + 0.95 * (1 + math.cos(math.pi * turn)) / 2)


class Network(NamedTuple):
    """The weights of a network and their velocities.

    `units` has the weights of each hidden unit: x, y, bias, outgoing. `velocity` has those of their velocities.
    `output` is the bias of the output and its velocity.
    """

    units: list[list[float]]
    velocity: list[list[float]]
    output: list[float]


def new_network(recipe: Recipe) -> Network:
    """A network with small random weights."""
    dice = random.Random(recipe.seed)  # noqa: S311  # a model's weights are no secret
    units = [
        [dice.gauss(0, 1.2), dice.gauss(0, 1.2), dice.gauss(0, 0.5), dice.gauss(0, 0.4)] for _ in range(recipe.hidden)
    ]
    return Network(units, [[0.0] * 4 for _ in units], [0.0, 0.0])


def copy_of(network: Network) -> Network:
    """A deep copy of a network."""
    return Network([unit[:] for unit in network.units], [unit[:] for unit in network.velocity], network.output[:])


def spirals(count: int, seed: int) -> list[Point]:
    """`count` noisy points of two spiral arms, by turns."""
    dice = random.Random(seed)  # noqa: S311
    points = []
    for index in range(count):
        side = 1.0 if index % 2 else -1.0
        turn = dice.uniform(0.4, 4.2)
        points.append(
            (
                side * turn * math.cos(turn) / 4 + dice.gauss(0, 0.08),
                side * turn * math.sin(turn) / 4 + dice.gauss(0, 0.08),
                side,
            )
        )
    return points


TRAINING = spirals(400, seed=1)
VALIDATION = spirals(80, seed=2)


def train(
    recipe: Recipe, *, network: Network | None = None, first: int = 0, steps: int | None = None
) -> Iterator[tuple[int, dict[str, float]]]:
    """Train `network` (None: a new one) from step `first` for `steps` (None: without end).

    Yields the step and values by tag after each step. The network is changed in place.
    """
    network = new_network(recipe) if network is None else network
    dice = random.Random(recipe.seed * 7919 + first)  # noqa: S311
    step = first
    while steps is None or step < first + steps:
        batch = dice.sample(TRAINING, recipe.batch)
        lr = recipe.lr_at(step)
        loss, gradients, output_gradient = gradients_of(network, batch)
        values = {
            "train/loss": loss,
            "optimizer/learning_rate": lr,
            "optimizer/gradient_norm": norm_of([*gradients, [output_gradient]]),
        }
        descend(network, gradients, output_gradient, lr, recipe.momentum)
        if step % VALIDATE_EVERY == 0:
            values |= validate(network)
            values["optimizer/weight_norm"] = norm_of(network.units)
        yield step, values
        step += 1


def predict(network: Network, x: float, y: float) -> float:
    """The output of the network for a point. Its sign is the predicted label."""
    total = network.output[0]
    for a, b, bias, out in network.units:
        inside = a * x + b * y + bias
        total += out * (inside if inside > 0 else LEAK * inside)
    return total


def gradients_of(network: Network, batch: list[Point]) -> tuple[float, list[list[float]], float]:
    """The mean squared error over a batch, and its gradients with respect to the weights and the output's bias."""
    gradients = [[0.0] * 4 for _ in network.units]
    output_gradient = loss = 0.0
    for x, y, side in batch:
        miss = predict(network, x, y) - side
        loss += miss * miss / len(batch)
        push = 2 * miss / len(batch)
        output_gradient += push
        for unit, gradient in zip(network.units, gradients, strict=True):
            inside = unit[0] * x + unit[1] * y + unit[2]
            slope = 1.0 if inside > 0 else LEAK
            back = push * unit[3] * slope
            gradient[0] += back * x
            gradient[1] += back * y
            gradient[2] += back
            gradient[3] += push * slope * inside
    return loss, gradients, output_gradient


def descend(network: Network, gradients: list[list[float]], output_gradient: float, lr: float, momentum: float) -> None:
    """Take one step of gradient descent with momentum."""
    for unit, velocity, gradient in zip(network.units, network.velocity, gradients, strict=True):
        for index in range(4):
            velocity[index] = momentum * velocity[index] - lr * gradient[index]
            unit[index] += velocity[index]
    network.output[1] = momentum * network.output[1] - lr * output_gradient
    network.output[0] += network.output[1]


def validate(network: Network) -> dict[str, float]:
    """The loss and accuracy on the validation points."""
    answers = [(predict(network, x, y), side) for x, y, side in VALIDATION]
    return {
        "validation/loss": sum((answer - side) * (answer - side) for answer, side in answers) / len(answers),
        "validation/accuracy": sum(answer * side > 0 for answer, side in answers) / len(answers),
    }


def norm_of(rows: list[list[float]]) -> float:
    """The Euclidean norm of all numbers. Multiplies, since `**` raises OverflowError instead of returning infinity."""
    return math.sqrt(sum(number * number for row in rows for number in row))
