"""What projects may use and what accounts are permitted, on the pages of the console."""

import pathlib

from hub_visitor import HubVisitor, Person, ready
from playwright.sync_api import Locator, Page, expect


def row(page: Page, kind: str, text: str) -> Locator:
    """The row of a table that has a text."""
    return page.get_by_test_id(kind).filter(has=page.get_by_text(text, exact=True))


def send(page: Page, verb: str) -> None:
    """The button of the dialog that lies over the page."""
    page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()


def except_for(guest: HubVisitor, person: Person, **permissions: bool) -> None:
    """An administrator makes exceptions for somebody."""
    guest.hub.json("PATCH", f"/api/v1/accounts/{person.name}", {"permissions": permissions})


def test_an_administrator_binds_a_folder_to_a_project(guest: HubVisitor, tmp_path: pathlib.Path) -> None:
    """It is shown from then on, until it is unbound; a folder that is not there is refused in the dialog."""
    admin = guest.person("", administrator=True)
    project = admin.ask("POST", "projects", {"display_name": "Bound"})
    page = admin.look(f"/projects/{project['id']}")
    expect(page.get_by_text("Only its own storage.")).to_be_visible()

    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Folder").fill(f"{tmp_path}/none")
    send(page, "Add")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(f"there is no folder {tmp_path}/none")
    page.get_by_role("dialog").get_by_label("Folder").fill(str(tmp_path))
    send(page, "Add")
    expect(row(page, "binding", str(tmp_path))).to_contain_text("Folder")

    page.get_by_role("button", name=f"Unbind {tmp_path}").click()
    expect(page.get_by_role("dialog")).to_contain_text("No logs are deleted")
    send(page, "Unbind")
    expect(page.get_by_test_id("binding")).to_have_count(0)


def test_a_storage_a_credential_and_a_dataset_are_bound(guest: HubVisitor) -> None:
    """A storage with the credential that opens it; datasets of other projects are offered by name."""
    admin = guest.person("", administrator=True)
    folder = guest.hub.home / "hub" / "credentials"
    (folder / f"key-{admin.name}.toml").write_text('kind = "s3"\naccess_key_id = "a"\nsecret_access_key = "b"\n')
    theirs = {"name": f"theirs-{admin.name}", "kind": "path", "uri": str(guest.logs), "project": "default"}
    admin.ask("POST", "datasets", theirs)
    project = admin.ask("POST", "projects", {"display_name": "Binding"})
    page = admin.look(f"/projects/{project['id']}")

    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Kind").select_option("Bucket")
    page.get_by_role("dialog").get_by_role("textbox", name="Bucket").fill("s3://logs/a")
    page.get_by_role("dialog").get_by_label("Credential").select_option(f"key-{admin.name}")
    send(page, "Add")
    expect(row(page, "binding", "s3://logs/a")).to_contain_text(f"with key-{admin.name}")
    page.get_by_test_id("add-binding").click()
    page.get_by_role("dialog").get_by_label("Kind").select_option("Dataset of another project")
    page.get_by_role("dialog").get_by_label("Dataset", exact=True).select_option(theirs["name"])
    send(page, "Add")
    expect(row(page, "binding", theirs["name"])).to_be_visible()


def test_members_see_what_is_bound_and_cannot_change_it(guest: HubVisitor) -> None:
    """Whoever may make things there; what the hub was started with has no button for anybody."""
    page = guest.person("owner").look("/projects/default")
    expect(row(page, "binding", str(guest.logs.parent)).or_(row(page, "binding", str(guest.logs)))).to_be_visible()
    expect(page.get_by_test_id("add-binding")).to_have_count(0)
    expect(page.get_by_role("button", name="Unbind")).to_have_count(0)

    viewer = guest.person("viewer").look("/projects/default")
    expect(viewer.get_by_test_id("member").first).to_be_visible()
    expect(viewer.get_by_test_id("binding")).to_have_count(0)


def test_an_administrator_makes_an_exception_for_an_account(guest: HubVisitor) -> None:
    """And takes it back; the choices say what holds for all."""
    admin, person = guest.person("", administrator=True), guest.person("")
    page = admin.look("/accounts")
    for word, permitted in (("Not allowed", False), ("As the hub: allowed", True)):
        page.get_by_role("button", name=f"Edit {person.name}", exact=True).click()
        page.get_by_role("dialog").get_by_label("Create projects").select_option(word)
        send(page, "Save")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert ("create_projects" in person.ask("GET", "me")["account"]["permissions"]) is permitted


def test_the_defaults_of_the_hub_are_seen_and_kept(guest: HubVisitor) -> None:
    """Each with what it means; saved only where something was changed."""
    page = guest.person("", administrator=True).look("/accounts")
    page.get_by_test_id("permissions").click()

    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox")).to_have_count(5)
    expect(dialog.get_by_label("Open without login")).to_be_checked()
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()


def test_pages_offer_what_one_is_permitted(guest: HubVisitor) -> None:
    """No new project, no endless times, no access for everybody."""
    person = guest.person()
    except_for(guest, person, create_projects=False, run_without_end=False, share_publicly=False)
    page = person.look("/projects")
    expect(page.get_by_test_id("project").first).to_be_visible()
    expect(page.get_by_test_id("new")).to_have_count(0)

    page = person.look("/")
    page.get_by_test_id("new").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Life span").get_by_role("option", name="No end")).to_have_count(0)
    expect(dialog.get_by_label("Stop when idle").get_by_role("option", name="No end")).to_have_count(0)
    expect(dialog.get_by_role("group", name="Access").get_by_role("radio")).to_have_count(2)


def test_who_may_not_use_tensorboards_is_told_so(guest: HubVisitor) -> None:
    """On the first page, instead of a list, and at the link of a board."""
    person = guest.person()
    board = person.board("mine")
    except_for(guest, person, use_tensorboards=False)
    page = person.look("/")

    expect(page.get_by_role("heading", name="You are not permitted to use TensorBoards")).to_be_visible()
    expect(page.get_by_test_id("new")).to_have_count(0)
    page = person.look(f"/tensorboards/{board['id']}")
    ready(page)
    expect(page.get_by_text("not permitted to use TensorBoards at all")).to_be_visible()


def test_who_sees_what_is_private_is_said_as_it_is(guest: HubVisitor) -> None:
    """Nobody else where the only project was not chosen; its owners where there was a choice."""
    person = guest.person("editor")
    page = person.look("/")
    page.get_by_test_id("new").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("You alone")

    person.ask("POST", "projects", {"display_name": "Second"})
    page.reload()
    page.get_by_test_id("new").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("You, and the owners and administrators of the project")


def test_who_is_in_no_project_is_told_so(guest: HubVisitor) -> None:
    """Where the things of projects would be listed, with the way to invitations."""
    outsider = guest.person("")

    for path in ("/", "/datasets"):
        page = outsider.look(path)
        expect(page.get_by_role("heading", name="You are not in a project yet")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link", name="Projects")).to_be_visible()
