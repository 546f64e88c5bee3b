"""Lineage with keys alone (A5): from a run on a chart to the job that made it, what it ran with, and back."""

from typing import Any

from playwright.sync_api import Page, expect

from support.hub_page_driver import HubPageDriver, HubUser, expect_status, tab_to
from support.settled_pages import press, settle
from support.source_archives import archive_of

RUN = "attempt-1/rank-0"
FOCUSED = """() => {
    const at = document.activeElement;
    const name = (at.ariaLabel || at.innerText || at.title || '').trim().split('\\n')[0];
    const marked = [at, at.parentElement, at.nextElementSibling].filter(Boolean).some((each) => {
        const style = getComputedStyle(each);
        return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
    });
    return [name, marked];
}"""
"""The name of what has the keyboard, and whether one sees that it has."""


def stops(page: Page, last: str, at_most: int = 60) -> list[str]:
    """The names of what Tab leads to, until `last`. Each must have a name and be seen to have the keyboard."""
    found = []
    for _ in range(at_most):
        press(page, "Tab")
        name, marked = page.evaluate(FOCUSED)
        assert name, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert marked, f"{name}: no mark"
        found.append(name)
        if name == last:
            return found
    raise AssertionError(f"Tab does not lead to {last}: {found}")


def create_job(person: HubUser) -> dict[str, Any]:
    """A job with an input, a parameter and a variable, which has written a run to its logs."""
    line = f'cp "{person.visitor.logs}/baseline/"* "$PAI_OUTPUT_TENSORBOARD"'
    dataset = {"name": f"mnist-{person.name}", "kind": "storage", "uri": "storage:", "project": "default"}
    person.request_json("POST", "datasets", dataset)
    answer = person.visitor.hub.request(
        "POST", "/api/v1/source-code?project=default", token=person.token, content=archive_of()
    )
    assert answer.is_success, answer.text
    digest = answer.json()["digest"]
    return person.create_job(
        line, "Succeeded", name="mnist", image="telling", tensorboard=True, hyperparameters={"lr": 0.1},
        environment={"SEED": "1"}, inputs={"train": f"dataset:mnist-{person.name}"}, source_code=digest,
    )  # fmt: skip


def open_job(page: Page) -> Page:
    """The page of the job, in a tab of its own, from the row of its run beside the charts."""
    tab_to(page, f'[data-drag="{RUN}"]')
    press(page, "Shift+F10")
    item = page.get_by_role("menuitem", name="Made by job…")
    expect(item).to_be_visible()
    while not item.evaluate("(item) => item === document.activeElement"):
        press(page, "ArrowDown")
    press(page, "Enter")
    link = page.get_by_role("dialog", name=f"The job that made {RUN}").get_by_role("link", name="mnist")
    expect(link).to_be_visible()
    press(page, "Tab")
    expect(link).to_be_focused()
    with page.context.expect_page() as opened:
        press(page, "Enter")
    settle(opened.value)
    return opened.value


def test_a5_a_chart_leads_to_the_job_and_back_by_keys(hub_driver: HubPageDriver) -> None:
    """From the row of the run beside its chart, over what its job ran with, to the TensorBoard and another job."""
    person = hub_driver.create_user()
    job = create_job(person)
    board = person.request_json("GET", f"jobs/{job['id']}")["tensorboard"]
    hub_driver.hub.wait_for_status(board["id"], "Running", person.token)
    page = open_job(person.open_page(f"/tb/{board['id']}/", reused=False))
    assert stops(page, "Reproduce")[-3:] == ["Terminal", "Overview", "Reproduce"]
    press(page, "Enter")
    expect(page.get_by_test_id("run-again")).to_be_visible()

    assert stops(page, "All of its runs ↗")[1:] == [
        "Run again", "Clone with changes…", str(job["command"][-1]), "Copy: Command", "Download",
        f"dataset:mnist-{person.name}", "mnist", "All of its runs ↗",
    ]  # fmt: skip
    with page.context.expect_page() as opened:
        press(page, "Enter")
    settle(opened.value)
    expect(opened.value.locator(f'[data-drag="{RUN}"]')).to_be_visible()
    opened.value.close()
    while page.evaluate(FOCUSED)[0] != "Run again":
        press(page, "Shift+Tab")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="mnist-2", level=1)).to_be_visible()
    expect_status(page.get_by_role("main"), "Succeeded")


def test_a5_the_job_of_a_run_gives_the_keyboard_back(hub_driver: HubPageDriver) -> None:
    """Esc closes what is shown of it, and the name of the run has the focus again."""
    person = hub_driver.create_user()
    job = create_job(person)
    board = person.request_json("GET", f"jobs/{job['id']}")["tensorboard"]
    hub_driver.hub.wait_for_status(board["id"], "Running", person.token)
    page = person.open_page(f"/tb/{board['id']}/", reused=False)
    open_job(page).close()

    press(page, "Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(f'[data-drag="{RUN}"]')).to_be_focused()


def test_keys_scroll_a_table_wider_than_the_window(hub_driver: HubPageDriver) -> None:
    """Tab leads to it only there: where it fits it is not one more stop."""
    person = hub_driver.create_user()
    job = create_job(person)
    page = person.open_page(f"/jobs/{job['id']}#lineage", width=240)
    frame = page.get_by_role("group", name="Inputs")
    expect(frame).to_be_visible()
    while not frame.evaluate("(frame) => frame === document.activeElement"):
        press(page, "Tab")
    page.keyboard.down("ArrowRight")
    page.wait_for_function("(frame) => frame.scrollLeft > 0", arg=frame.element_handle())
    page.keyboard.up("ArrowRight")
