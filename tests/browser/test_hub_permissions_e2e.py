"""Bindings and permissions in the console."""

import pathlib

from playwright.sync_api import Locator, Page, expect

from support.hub_page_driver import HubPageDriver, HubUser
from support.settled_pages import reload


def row(page: Page, kind: str, text: str) -> Locator:
    """The row of a table that has a text."""
    return page.get_by_test_id(kind).filter(has=page.get_by_text(text, exact=True))


def send(page: Page, verb: str) -> None:
    """The button of the dialog that lies over the page."""
    page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()


def except_for(hub_driver: HubPageDriver, person: HubUser, **permissions: bool) -> None:
    """An administrator makes exceptions for somebody."""
    hub_driver.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"permissions": permissions})


def test_administrators_bind_folders(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """And unbind them; missing folders are refused."""
    admin = hub_driver.create_user("", administrator=True)
    project = admin.request_json("POST", "projects", {"display_name": "Bound"})
    page = admin.open_page(f"/projects/{project['id']}")
    expect(page.get_by_text("Only the project's own storage.")).to_be_visible()

    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Folder").fill(f"{tmp_path}/none")
    send(page, "Bind")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(f"there is no folder {tmp_path}/none")
    page.get_by_role("dialog").get_by_label("Folder").fill(str(tmp_path))
    send(page, "Bind")
    expect(row(page, "binding", str(tmp_path))).to_contain_text("Folder")

    page.get_by_role("button", name=f"Unbind {tmp_path}").click()
    expect(page.get_by_role("dialog")).to_contain_text("No logs are deleted")
    send(page, "Unbind")
    expect(page.get_by_test_id("binding")).to_have_count(0)


def test_storages_credentials_and_datasets_can_be_bound(hub_driver: HubPageDriver) -> None:
    """A storage with the credential that opens it; datasets of other projects are offered by name."""
    admin = hub_driver.create_user("", administrator=True)
    folder = hub_driver.hub.home / "hub" / "credentials"
    (folder / f"key-{admin.name}.toml").write_text('kind = "s3"\naccess_key_id = "a"\nsecret_access_key = "b"\n')
    theirs = {"name": f"theirs-{admin.name}", "kind": "path", "uri": str(hub_driver.logs), "project": "default"}
    admin.request_json("POST", "datasets", theirs)
    project = admin.request_json("POST", "projects", {"display_name": "Binding"})
    page = admin.open_page(f"/projects/{project['id']}")

    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Kind").select_option("Bucket")
    page.get_by_role("dialog").get_by_role("textbox", name="Bucket").fill("s3://logs/a")
    page.get_by_role("dialog").get_by_label("Credential").select_option(f"key-{admin.name}")
    send(page, "Bind")
    expect(row(page, "binding", "s3://logs/a")).to_contain_text(f"with key-{admin.name}")
    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Kind").select_option("Dataset of another project")
    page.get_by_role("dialog").get_by_label("Dataset", exact=True).select_option(theirs["name"])
    send(page, "Bind")
    expect(row(page, "binding", theirs["name"])).to_be_visible()


def test_members_see_bindings_read_only(hub_driver: HubPageDriver) -> None:
    """Whoever may make things there; what the hub was started with has no button for anybody."""
    page = hub_driver.create_user("owner").open_page("/projects/default")
    expect(
        row(page, "binding", str(hub_driver.logs.parent)).or_(row(page, "binding", str(hub_driver.logs)))
    ).to_be_visible()
    expect(page.get_by_test_id("add-binding")).to_have_count(0)
    expect(page.get_by_role("button", name="Unbind")).to_have_count(0)

    viewer = hub_driver.create_user("viewer").open_page("/projects/default")
    expect(viewer.get_by_test_id("member").first).to_be_visible()
    expect(viewer.get_by_test_id("binding")).to_have_count(0)


def test_administrators_set_exceptions_for_accounts(hub_driver: HubPageDriver) -> None:
    """And takes it back; the choices say what holds for all."""
    admin, person = hub_driver.create_user("", administrator=True), hub_driver.create_user("")
    page = admin.open_page("/accounts")
    for word, permitted in (("Not allowed", False), ("Hub default: allowed", True)):
        page.get_by_role("button", name=f"Edit {person.name}", exact=True).click()
        page.get_by_role("dialog").get_by_label("Create projects").select_option(word)
        send(page, "Save")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert ("create_projects" in person.request_json("GET", "me")["account"]["permissions"]) is permitted


def test_default_permissions_can_be_edited(hub_driver: HubPageDriver) -> None:
    """Each with what it means; saved only where something was changed."""
    page = hub_driver.create_user("", administrator=True).open_page("/accounts")
    page.get_by_test_id("permissions").click()

    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox")).to_have_count(6)
    expect(dialog.get_by_label("Open without login")).to_be_checked()
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()


def test_pages_offer_permitted_actions_only(hub_driver: HubPageDriver) -> None:
    """No new project, no endless times, no access for everybody."""
    person = hub_driver.create_user()
    except_for(hub_driver, person, create_projects=False, run_without_end=False, share_publicly=False)
    page = person.open_page("/projects")
    expect(page.get_by_test_id("project").first).to_be_visible()
    expect(page.get_by_test_id("new")).to_have_count(0)

    page = person.open_page("/")
    page.get_by_test_id("new").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Life span").get_by_role("option", name="No limit")).to_have_count(0)
    expect(dialog.get_by_label("Stop when idle").get_by_role("option", name="No limit")).to_have_count(0)
    expect(dialog.get_by_role("group", name="Access").get_by_role("radio")).to_have_count(2)


def test_a_missing_tensorboard_permission_is_explained(hub_driver: HubPageDriver) -> None:
    """On the first page, instead of a list, and at the link of a board."""
    person = hub_driver.create_user()
    board = person.create_board("mine")
    except_for(hub_driver, person, use_tensorboards=False)
    page = person.open_page("/")

    expect(page.get_by_role("heading", name="You are not allowed to use TensorBoards")).to_be_visible()
    expect(page.get_by_test_id("new")).to_have_count(0)
    page = person.open_page(f"/tensorboards/{board['id']}")
    expect(page.get_by_text("not permitted to use TensorBoards at all")).to_be_visible()


def test_the_visibility_of_private_boards_is_explained(hub_driver: HubPageDriver) -> None:
    """Nobody else where the only project was not chosen; its owners where there was a choice."""
    person = hub_driver.create_user("editor")
    page = person.open_page("/")
    page.get_by_test_id("new").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("Only you")

    person.request_json("POST", "projects", {"display_name": "Second"})
    reload(page)
    page.get_by_test_id("new").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("You, and the project's owners and administrators")


def test_accounts_without_projects_get_an_explanation(hub_driver: HubPageDriver) -> None:
    """With a link to invitations."""
    outsider = hub_driver.create_user("")

    for path in ("/", "/datasets"):
        page = outsider.open_page(path)
        expect(page.get_by_role("heading", name="You are not in a project yet")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link", name="Projects")).to_be_visible()
