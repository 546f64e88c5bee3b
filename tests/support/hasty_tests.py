"""Finds tests of the browser that do not wait: for a page to settle, or for the effect of what they did.

Also those that leave in a page what cannot be taken back, where another test may use it.
"""

import ast
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

LASTING = {"on", "once", "new_cdp_session", "add_init_script"}
"""What stays in a page until it is closed, and cannot be seen in it."""
WAITS = {"wait_for", "wait_for_function", "expect_response", "expect_request"}
PURE = {"len", "str", "int", "float", "set", "sorted", "list", "dict", "tuple", "min", "max", "abs", "round", "range"}
"""Built-in functions, which wait for nothing."""


def find_hasty(source: str) -> list[str]:
    """What is wrong, each with its line."""
    tree = ast.parse(source)
    found = [*forbidden_calls(tree)]
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                found += early_measures(block)
        if isinstance(node, ast.FunctionDef):
            found += lasting_calls(node)
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


def lasting_calls(function: ast.FunctionDef) -> Iterator[str]:
    """Calls that leave something in a page that other tests may use."""
    calls = [each for each in ast.walk(function) if isinstance(each, ast.Call)]
    if any(keyword.arg == "reused" for call in calls for keyword in call.keywords):
        return
    for call in calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in LASTING:
            yield f"{call.lineno}: {ast.unparse(call.func)}: open the page with reused=False"


def early_measures(block: list[ast.stmt]) -> Iterator[str]:
    """Statements that measure after one that acts, with none between them that waits."""
    acted = False
    for statement in block:
        simple = isinstance(statement, ast.Expr | ast.Assign | ast.Assert | ast.AnnAssign)
        # Functions of the tests wait for what they look at; methods of Playwright do not.
        waits = not simple or functions(statement) - PURE or methods(statement) & WAITS
        if acted and simple and not waits and methods(statement) & MEASURES:
            yield f"{statement.lineno}: measures before a line above has its effect: settle(page), or expect it"
        acted = not waits and (acted or bool(methods(statement) & ACTIONS))


def methods(statement: ast.stmt) -> set[str]:
    """Names of the methods that it calls, outermost call first or not."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}


def functions(statement: ast.stmt) -> set[str]:
    """Names of the functions that it calls."""
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}
