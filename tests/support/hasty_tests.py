"""Finds tests of the browser that do not wait: for a page to settle, or for the effect of what they did."""

import ast
import itertools
from collections.abc import Iterator

UNSETTLED = {
    "wait_for_selector": "a page that was opened by the driver has settled",
    "wait_for_timeout": "no wait by the clock",
    "wait_for_load_state": "settle(page)",
    "reload": "reload(page)",
    "go_back": "go_back(page)",
    "go_forward": "go_back(page)",
}
"""Methods of a page that nothing needs, with what to write instead."""
KEYS = {"press": "press(page, ...)", "type": "type_text(page, ...)", "insert_text": "type_text(page, ...)"}
ACTIONS = {
    *("click", "dblclick", "tap", "hover", "fill", "clear", "check", "uncheck", "set_checked", "select_option"),
    *("drag_to", "set_input_files", "set_viewport_size", "emulate_media", "press", "wheel", "goto", "up", "move"),
}
MEASURES = {
    *("evaluate", "evaluate_all", "bounding_box", "count", "inner_text", "all_inner_texts", "text_content"),
    *("all_text_contents", "is_visible", "is_checked", "get_attribute", "input_value", "screenshot"),
}


def find_hasty(source: str) -> list[str]:
    """What is wrong, each with its line."""
    tree = ast.parse(source)
    found = [*forbidden_calls(tree)]
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                found += early_measures(block)
    return sorted(found, key=lambda each: int(each.partition(":")[0]))


def forbidden_calls(tree: ast.AST) -> Iterator[str]:
    """Calls of methods that have a better one in `support.settled_pages`."""
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        name, owner = call.func.attr, ast.unparse(call.func.value)
        if name in UNSETTLED:
            yield f"{call.lineno}: {owner}.{name}: {UNSETTLED[name]}"
        elif name in KEYS and owner.endswith("keyboard"):
            yield f"{call.lineno}: {owner}.{name}: {KEYS[name]}"


def early_measures(block: list[ast.stmt]) -> Iterator[str]:
    """Statements that measure right after one that acts."""
    for before, after in itertools.pairwise(block):
        acts = isinstance(before, ast.Expr) and methods(before) & ACTIONS and "expect" not in functions(before)
        simple = isinstance(after, ast.Expr | ast.Assign | ast.Assert | ast.AnnAssign)
        if acts and simple and methods(after) & MEASURES and not functions(after) & {"expect", "settle"}:
            yield f"{after.lineno}: measures before the line above has its effect: settle(page), or expect it"


def methods(statement: ast.stmt) -> set[str]:
    """Names of the methods that it calls, outermost call first or not."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}


def functions(statement: ast.stmt) -> set[str]:
    """Names of the functions that it calls."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}
