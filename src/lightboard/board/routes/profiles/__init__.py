"""Captures of profilers, by their views: tables, the call tree, the time line, and memory."""

from lightboard.board.routes.profiles import call_tree, memory, tables, time_line

ENDPOINTS = (*tables.ENDPOINTS, *call_tree.ENDPOINTS, *time_line.ENDPOINTS, *memory.ENDPOINTS)
