"""Boards in the cells of notebooks: `%load_ext lightboard`, then `%lightboard --logdir runs`, or `show("runs")`.

A board is a process that outlives the kernel, so that a cell keeps its board when the kernel is restarted.
"""

from lightboard.notebook.magic import show

__all__ = ["show"]
