"""Lightboard opens any folder of TensorBoard event files: every point, at once, live."""

__version__ = "0.1.0"
