"""Captures of profilers, by their views: tables, and the time line."""

from lightboard.board.routes.profiles import tables, time_line

ENDPOINTS = (*tables.ENDPOINTS, *time_line.ENDPOINTS)
