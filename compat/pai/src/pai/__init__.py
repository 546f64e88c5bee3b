"""The root package of PAI's SDK, implemented by Lightboard."""
