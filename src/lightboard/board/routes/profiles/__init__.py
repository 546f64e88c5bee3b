"""Captures of profilers, by their views: tables, the call tree, and the time line."""

from lightboard.board.routes.profiles import call_tree, tables, time_line

ENDPOINTS = (*tables.ENDPOINTS, *call_tree.ENDPOINTS, *time_line.ENDPOINTS)
