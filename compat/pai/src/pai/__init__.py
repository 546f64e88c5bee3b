"""The import root of PAI's SDK, answered by Lightboard."""
