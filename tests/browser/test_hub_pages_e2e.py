"""Datasets, projects, tokens, accounts, audit and settings (check 43)."""

import pathlib
import re

import httpx
from playwright.sync_api import Browser, Locator, Page, expect

from support.hub_page_driver import HubPageDriver
from support.hub_process import PASSWORD, HubProcess
from support.settled_pages import reload, settle


def line(page: Page, kind: str, name: str) -> Locator:
    """The row of a table that has a text."""
    return page.get_by_test_id(kind).filter(has=page.get_by_text(name, exact=True))


def send(page: Page, verb: str) -> None:
    """The button of the dialog that lies over the page."""
    page.get_by_role("dialog").get_by_role("button", name=verb, exact=True).click()


def fill_in(page: Page, name: str, place: str) -> None:
    """The dialog for a new dataset."""
    page.get_by_test_id("new").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Location").fill(place)


def test_datasets_can_be_created(hub_driver: HubPageDriver) -> None:
    """With its place and its owner."""
    person = hub_driver.create_user()
    page = person.open_page("/datasets")
    fill_in(page, f"Corpus of {person.name}", str(hub_driver.logs))

    send(page, "Create")

    made = line(page, "dataset", f"Corpus of {person.name}")
    expect(made).to_contain_text(str(hub_driver.logs))
    expect(made).to_contain_text(person.name)


def test_invalid_dataset_uris_are_reported(hub_driver: HubPageDriver) -> None:
    """The dialog keeps the input."""
    page = hub_driver.create_user().open_page("/datasets")
    fill_in(page, "corpus", "data/corpus")

    send(page, "Create")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("data/corpus")
    expect(page.get_by_label("Name")).to_have_value("corpus")


def test_forbidden_dataset_folders_are_reported(hub_driver: HubPageDriver) -> None:
    """Before there is a dataset that nobody can use."""
    page = hub_driver.create_user().open_page("/datasets")
    fill_in(page, "secrets", "/etc")

    send(page, "Create")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("/etc is not below a folder")


def test_datasets_can_be_edited(hub_driver: HubPageDriver) -> None:
    """Name, URI and credential."""
    person = hub_driver.create_user()
    lay_down(hub_driver, "nightly")
    person.request_json("POST", "datasets", {"name": f"old-{person.name}", "kind": "s3", "uri": "s3://logs/old"})
    page = person.open_page("/datasets")
    page.get_by_role("button", name=f"Edit “old-{person.name}”").click()
    page.get_by_label("Name").fill("New words")
    page.get_by_label("Location").fill("s3://logs/new")
    page.get_by_label("Credential").select_option("nightly")

    send(page, "Save")

    expect(line(page, "dataset", "New words")).to_contain_text("s3://logs/new")
    told = person.request_json("GET", f"datasets/old-{person.name}")
    assert (told["display_name"], told["uri"], told["credential"]) == ("New words", "s3://logs/new", "nightly")


def test_datasets_list_their_boards(hub_driver: HubPageDriver) -> None:
    """With links."""
    person = hub_driver.create_user()
    person.request_json(
        "POST", "datasets", {"name": f"used-{person.name}", "kind": "path", "uri": str(hub_driver.logs)}
    )
    sources = [{"dataset": f"used-{person.name}"}]
    person.request_json("POST", "tensorboards", {"display_name": "over it", "sources": sources})
    page = person.open_page("/datasets")

    line(page, "dataset", f"used-{person.name}").get_by_role("button", name="Used by 1 TensorBoard").click()
    page.get_by_role("dialog").get_by_role("link", name="over it").click()

    expect(page.get_by_role("heading", name="over it", level=1)).to_be_visible()


def test_datasets_can_be_deleted(hub_driver: HubPageDriver) -> None:
    """The dialog says that data is kept."""
    person = hub_driver.create_user()
    person.request_json(
        "POST", "datasets", {"name": f"gone-{person.name}", "kind": "path", "uri": str(hub_driver.logs)}
    )
    page = person.open_page("/datasets")
    page.get_by_role("button", name=f"Delete dataset gone-{person.name}").click()
    expect(page.get_by_role("dialog")).to_contain_text("the data itself is kept")

    send(page, "Delete")

    expect(line(page, "dataset", f"gone-{person.name}")).to_have_count(0)


def test_project_creators_are_owners(hub_driver: HubPageDriver) -> None:
    """Its page opens, with one member."""
    person = hub_driver.create_user("")
    page = person.open_page("/projects")
    page.get_by_test_id("new").click()
    page.get_by_label("Name").fill("Segmentation")

    send(page, "Create")

    expect(page.get_by_role("heading", name="Segmentation", level=1)).to_be_visible()
    expect(page.get_by_role("combobox", name=f"Role of {person.name}")).to_have_value("owner")


def test_members_can_be_managed(hub_driver: HubPageDriver) -> None:
    """An administrator adds them at once; each step is true for the member at once."""
    owner, other = hub_driver.create_user("", administrator=True), hub_driver.create_user("")
    made = owner.request_json("POST", "projects", {"display_name": "Team"})
    roles = lambda: [each["role"] for each in other.request_json("GET", "me")["memberships"]]  # noqa: E731
    page = owner.open_page(f"/projects/{made['id']}")

    page.get_by_test_id("add-member").click()
    page.get_by_label("Account").fill(other.name)
    page.get_by_role("dialog").get_by_label("Role").select_option("Viewer")
    send(page, "Add")
    expect(line(page, "member", other.name)).to_be_visible()
    assert roles() == ["viewer"]

    with page.expect_response("**/members"):
        page.get_by_role("combobox", name=f"Role of {other.name}").select_option("Editor")
    assert roles() == ["editor"]

    page.get_by_role("button", name=f"Remove {other.name}").click()
    assert roles() == ["editor"]
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    expect(line(page, "member", other.name)).to_have_count(0)
    assert roles() == []


def test_unknown_accounts_are_reported(hub_driver: HubPageDriver) -> None:
    """To administrators."""
    owner = hub_driver.create_user("", administrator=True)
    made = owner.request_json("POST", "projects", {"display_name": "Alone"})
    page = owner.open_page(f"/projects/{made['id']}")
    page.get_by_test_id("add-member").click()
    page.get_by_label("Account").fill("nobody-here")

    send(page, "Add")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("nobody-here")


def test_accounts_can_be_invited(hub_driver: HubPageDriver) -> None:
    """Pending invitations can be withdrawn and do not reveal accounts."""
    owner, other = hub_driver.create_user(""), hub_driver.create_user("")
    made = owner.request_json("POST", "projects", {"display_name": "Team"})
    page = owner.open_page(f"/projects/{made['id']}")
    for name in (other.name, "nobody-here"):
        page.get_by_test_id("add-member").click()
        page.get_by_label("Account").fill(name)
        page.get_by_role("dialog").get_by_label("Role").select_option("Viewer")
        send(page, "Send")
        expect(line(page, "sent-invitation", name)).to_be_visible()
    page.get_by_role("button", name="Withdraw invitation for nobody-here").click()
    expect(line(page, "sent-invitation", "nobody-here")).to_have_count(0)

    theirs = other.open_page("/projects")
    expect(line(theirs, "invitation", "Team")).to_contain_text(owner.name)
    theirs.get_by_role("button", name="Accept").click()

    expect(line(theirs, "project", "Team")).to_contain_text("Viewer")
    expect(theirs.get_by_test_id("invitation")).to_have_count(0)
    assert [each["role"] for each in other.request_json("GET", "me")["memberships"]] == ["viewer"]


def test_invitations_can_be_declined(hub_driver: HubPageDriver) -> None:
    """The inviter still sees it."""
    owner, other = hub_driver.create_user(""), hub_driver.create_user("")
    made = owner.request_json("POST", "projects", {"display_name": "Team"})
    owner.request_json("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})
    page = other.open_page("/projects")

    page.get_by_role("button", name="Decline").click()

    expect(page.get_by_test_id("invitation")).to_have_count(0)
    assert [each["account"] for each in owner.request_json("GET", f"projects/{made['id']}/invitations")["items"]] == [
        other.name
    ]


def test_pending_invitations_show_a_badge(hub_driver: HubPageDriver) -> None:
    """Their number beside one's name, and the way to them in the menu; none once they are answered."""
    owner, other = hub_driver.create_user(""), hub_driver.create_user("")
    for name in ("Team", "Group"):
        made = owner.request_json("POST", "projects", {"display_name": name})
        owner.request_json("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})
    page = other.open_page("/tokens")
    account = page.get_by_test_id("account")
    expect(account).to_have_accessible_name(f"{other.name}, 2 pending invitations")
    expect(page.get_by_test_id("invited")).to_have_text("2")

    account.click()
    page.get_by_role("menuitem", name="Invitations").click()
    for left in (1, 0):
        page.get_by_role("button", name="Decline").first.click()
        expect(page.get_by_test_id("invitation")).to_have_count(left)

    expect(page.get_by_test_id("invited")).to_have_count(0)
    expect(account).to_have_accessible_name(other.name)


def test_new_invitations_appear_on_open_pages(hub_driver: HubPageDriver) -> None:
    """It is looked for now and then."""
    owner, other = hub_driver.create_user(""), hub_driver.create_user("")
    page = hub_driver.open_page("/tokens", who=other.name)
    page.clock.install()
    reload(page)
    expect(page.get_by_test_id("account")).to_have_accessible_name(other.name)
    made = owner.request_json("POST", "projects", {"display_name": "Team"})
    owner.request_json("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})

    page.clock.fast_forward(31_000)

    expect(page.get_by_test_id("invited")).to_have_text("1")


def test_tokens_are_shown_once(hub_driver: HubPageDriver) -> None:
    """And work until revoked."""
    person = hub_driver.create_user()
    page = person.open_page("/tokens")
    page.get_by_test_id("new").click()
    page.get_by_label("Name").fill("laptop")
    send(page, "Create")
    expect(page.get_by_test_id("once")).not_to_have_value("")
    secret = page.get_by_test_id("once").input_value()
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(line(page, "token", "laptop")).to_be_visible()

    assert hub_driver.hub.request("GET", "/api/v1/me", token=secret).status_code == 200
    assert secret not in page.content()

    page.get_by_role("button", name="Revoke laptop").click()
    send(page, "Revoke")
    expect(line(page, "token", "laptop")).to_have_count(0)
    assert hub_driver.hub.request("GET", "/api/v1/me", token=secret).status_code == 401


def test_administrators_create_accounts(hub_driver: HubPageDriver) -> None:
    """With the password that was given."""
    admin = hub_driver.create_user(administrator=True)
    name = f"made-by-{admin.name}"
    page = admin.open_page("/accounts")
    page.get_by_test_id("new").click()
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)

    send(page, "Create")

    expect(line(page, "account-row", name)).to_contain_text("Person")
    assert log_in(hub_driver, name) == 200


def test_disabled_accounts_cannot_log_in_on_the_page(hub_driver: HubPageDriver) -> None:
    """The list says so."""
    admin, other = hub_driver.create_user(administrator=True), hub_driver.create_user()
    page = admin.open_page("/accounts")
    page.get_by_role("button", name=f"Edit {other.name}", exact=True).click()
    page.get_by_role("checkbox", name="Disabled").check()

    send(page, "Save")

    expect(line(page, "account-row", other.name)).to_contain_text("Disabled")
    assert log_in(hub_driver, other.name) in (401, 403)


def test_accounts_need_an_administrator(hub_driver: HubPageDriver) -> None:
    """Others get an explanation."""
    page = hub_driver.create_user().open_page("/accounts")

    expect(page.get_by_role("heading", name="You do not have access")).to_be_visible()
    expect(page.get_by_role("link", name="Accounts")).to_have_count(0)
    expect(page.get_by_test_id("new")).to_have_count(0)


def test_the_audit_lists_actions(hub_driver: HubPageDriver) -> None:
    """Newest first."""
    admin, person = hub_driver.create_user(administrator=True), hub_driver.create_user()
    person.request_json(
        "POST", "datasets", {"name": f"seen-{person.name}", "kind": "path", "uri": str(hub_driver.logs)}
    )

    page = admin.open_page("/audit")

    expect(line(page, "audit-row", person.name).first).to_contain_text("dataset.create")


def test_project_admins_see_their_audit(hub_driver: HubPageDriver) -> None:
    """And nothing of others."""
    owner = hub_driver.create_user("")
    owner.request_json("POST", "projects", {"display_name": "Mine"})

    page = owner.open_page("/audit")

    expect(page.get_by_test_id("audit-row")).to_have_count(1)
    expect(page.get_by_test_id("audit-row")).to_contain_text("project.create")


def test_the_audit_can_be_filtered(hub_driver: HubPageDriver) -> None:
    """The URL has the filter."""
    admin, person = hub_driver.create_user(administrator=True), hub_driver.create_user("")
    person.request_json("POST", "projects", {"display_name": "First"})
    person.request_json("POST", "projects", {"display_name": "Second"})
    page = admin.open_page("/audit")
    page.get_by_role("searchbox", name="User name").fill(person.name)
    page.get_by_role("combobox", name="Action").select_option("project.create")

    expect(page.get_by_test_id("audit-row")).to_have_count(2)
    expect(page).to_have_url(re.compile(f"(?=.*={person.name})(?=.*=project.create)"))
    address = page.url.removeprefix(hub_driver.hub.url).replace("test=1&lang=en&", "")
    again = admin.open_page(address)
    expect(again.get_by_test_id("audit-row")).to_have_count(2)
    again.get_by_role("searchbox", name="User name").fill("nobody-here")
    expect(again.get_by_role("heading", name="No results")).to_be_visible()


def test_the_language_is_an_account_setting(hub_driver: HubPageDriver) -> None:
    """The page speaks it at once, and the account's other browsers do."""
    person = hub_driver.create_user()
    page = person.open_page("/settings")
    page.get_by_label("Language").select_option("Русский")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", name="Настройки", level=1)).to_be_visible()
    settle(page)
    elsewhere = person.open_page("/settings", language="")
    expect(elsewhere.get_by_role("heading", name="Настройки", level=1)).to_be_visible()


def test_the_theme_is_a_browser_setting(hub_driver: HubPageDriver) -> None:
    """Chosen in the menu of the account."""
    page = hub_driver.create_user().open_page("/settings")
    page.get_by_test_id("account").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    reload(page)

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_changing_the_password_needs_the_old_one(hub_driver: HubPageDriver) -> None:
    """A wrong one is said; with the right one only the new password lets in."""
    person = hub_driver.create_user()
    page = person.open_page("/settings")
    page.get_by_label("Current password").fill("not the password")
    page.get_by_label("New password").fill(PASSWORD + " anew")
    page.get_by_label("Repeat password").fill(PASSWORD + " anew")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_be_visible()

    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()

    expect(page.get_by_test_id("toast")).to_have_text("Saved")
    assert log_in(hub_driver, person.name) == 401
    assert log_in(hub_driver, person.name, PASSWORD + " anew") == 200


def test_failed_oidc_logins_are_explained(browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Nobody answers there: the login page is back, says so in the person's language, and knows where one went."""
    silent = "http://127.0.0.1:9"
    with HubProcess(tmp_path / "home", "--oidc-issuer", silent, "--oidc-client-id", "hub") as hub:
        hub_driver = HubPageDriver(browser, hub, hub_logs)
        page = hub_driver.open_page("/login?next=/tokens", language="")
        page.get_by_role("link", name="Log in with 127.0.0.1:9").click()

        expect(page.get_by_role("alert")).to_contain_text("The login service is not responding")
        assert page.url == f"{hub.url}/login?error=oidc&reason=provider&next=%2Ftokens"
        russian = hub_driver.open_page("/login?error=oidc&reason=disabled", language="ru")
        expect(russian.get_by_role("alert")).to_contain_text("отключена")
        for each in hub_driver.pages:
            each.context.close()


def lay_down(hub_driver: HubPageDriver, name: str) -> None:
    """A credential, as an administrator of the machine does."""
    folder = hub_driver.hub.home / "hub" / "credentials"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{name}.toml"
    file.touch(mode=0o600)
    file.write_text('kind = "s3"\naccess_key_id = "id"\nsecret_access_key = "key"\n', "utf-8")


def log_in(hub_driver: HubPageDriver, name: str, password: str = PASSWORD) -> int:
    """The status of a login without a browser."""
    answer = httpx.post(
        f"{hub_driver.hub.url}/api/v1/login", json={"name": name, "password": password}, trust_env=False
    )
    return answer.status_code
