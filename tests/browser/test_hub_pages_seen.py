"""The pages beside Job Analysis: datasets, projects, tokens, accounts, audit and settings (check 43)."""

import pathlib

import httpx
from hub_visitor import HubVisitor, ready
from playwright.sync_api import Browser, Locator, Page, expect

from running_hub import PASSWORD, RunningHub


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
    page.get_by_label("Place").fill(place)


def test_a_dataset_is_made_and_listed(guest: HubVisitor) -> None:
    """With its place and its owner."""
    person = guest.person()
    page = person.look("/datasets")
    fill_in(page, f"Corpus of {person.name}", str(guest.logs))

    send(page, "Create")

    made = line(page, "dataset", f"Corpus of {person.name}")
    expect(made).to_contain_text(str(guest.logs))
    expect(made).to_contain_text(person.name)


def test_a_place_that_is_none_is_said(guest: HubVisitor) -> None:
    """The dialog stays, with what was typed."""
    page = guest.person().look("/datasets")
    fill_in(page, "corpus", "data/corpus")

    send(page, "Create")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("data/corpus")
    expect(page.get_by_label("Name")).to_have_value("corpus")


def test_a_folder_that_no_board_could_show_is_said(guest: HubVisitor) -> None:
    """Before there is a dataset that nobody can use."""
    page = guest.person().look("/datasets")
    fill_in(page, "secrets", "/etc")

    send(page, "Create")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("/etc is not below a folder")


def test_a_dataset_is_changed(guest: HubVisitor) -> None:
    """Name, place and, of a bucket, the credential, by its name."""
    person = guest.person()
    lay_down(guest, "nightly")
    person.ask("POST", "datasets", {"name": f"old-{person.name}", "kind": "s3", "uri": "s3://logs/old"})
    page = person.look("/datasets")
    page.get_by_role("button", name=f"Edit “old-{person.name}”").click()
    page.get_by_label("Name").fill("New words")
    page.get_by_label("Place").fill("s3://logs/new")
    page.get_by_label("Credential").select_option("nightly")

    send(page, "Save")

    expect(line(page, "dataset", "New words")).to_contain_text("s3://logs/new")
    told = person.ask("GET", f"datasets/old-{person.name}")
    assert (told["display_name"], told["uri"], told["credential"]) == ("New words", "s3://logs/new", "nightly")


def test_a_dataset_says_what_is_over_it(guest: HubVisitor) -> None:
    """And leads there."""
    person = guest.person()
    person.ask("POST", "datasets", {"name": f"used-{person.name}", "kind": "path", "uri": str(guest.logs)})
    sources = [{"dataset": f"used-{person.name}"}]
    person.ask("POST", "tensorboards", {"display_name": "over it", "sources": sources})
    page = person.look("/datasets")

    line(page, "dataset", f"used-{person.name}").get_by_role("button", name="Used by 1 TensorBoard").click()
    page.get_by_role("dialog").get_by_role("link", name="over it").click()

    expect(page.get_by_role("heading", name="over it", level=1)).to_be_visible()


def test_a_dataset_is_taken_away_after_one_question(guest: HubVisitor) -> None:
    """Which says that the data stays."""
    person = guest.person()
    person.ask("POST", "datasets", {"name": f"gone-{person.name}", "kind": "path", "uri": str(guest.logs)})
    page = person.look("/datasets")
    page.get_by_role("button", name=f"Remove dataset gone-{person.name}").click()
    expect(page.get_by_role("dialog")).to_contain_text("the data stays where it is")

    send(page, "Delete")

    expect(line(page, "dataset", f"gone-{person.name}")).to_have_count(0)


def test_who_makes_a_project_owns_it(guest: HubVisitor) -> None:
    """Its page opens, with one member."""
    person = guest.person("")
    page = person.look("/projects")
    page.get_by_test_id("new").click()
    page.get_by_label("Name").fill("Segmentation")

    send(page, "Create")

    expect(page.get_by_role("heading", name="Segmentation", level=1)).to_be_visible()
    expect(page.get_by_role("combobox", name=f"Role of {person.name}")).to_have_value("owner")


def test_members_come_change_and_go(guest: HubVisitor) -> None:
    """An administrator adds them at once; each step is true for the member at once."""
    owner, other = guest.person("", administrator=True), guest.person("")
    made = owner.ask("POST", "projects", {"display_name": "Team"})
    roles = lambda: [each["role"] for each in other.ask("GET", "me")["memberships"]]  # noqa: E731
    page = owner.look(f"/projects/{made['id']}")

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
    expect(line(page, "member", other.name)).to_have_count(0)
    assert roles() == []


def test_nobody_by_that_name_is_said(guest: HubVisitor) -> None:
    """In the dialog, to administrators."""
    owner = guest.person("", administrator=True)
    made = owner.ask("POST", "projects", {"display_name": "Alone"})
    page = owner.look(f"/projects/{made['id']}")
    page.get_by_test_id("add-member").click()
    page.get_by_label("Account").fill("nobody-here")

    send(page, "Add")

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("nobody-here")


def test_people_are_invited_and_accept(guest: HubVisitor) -> None:
    """By an owner, who sees what waits and can take it back; nobody is told whether there is such an account."""
    owner, other = guest.person(""), guest.person("")
    made = owner.ask("POST", "projects", {"display_name": "Team"})
    page = owner.look(f"/projects/{made['id']}")
    for name in (other.name, "nobody-here"):
        page.get_by_test_id("add-member").click()
        page.get_by_label("Account").fill(name)
        page.get_by_role("dialog").get_by_label("Role").select_option("Viewer")
        send(page, "Send")
        expect(line(page, "sent-invitation", name)).to_be_visible()
    page.get_by_role("button", name="Withdraw the invitation of nobody-here").click()
    expect(line(page, "sent-invitation", "nobody-here")).to_have_count(0)

    theirs = other.look("/projects")
    expect(line(theirs, "invitation", "Team")).to_contain_text(owner.name)
    theirs.get_by_role("button", name="Accept").click()

    expect(line(theirs, "project", "Team")).to_contain_text("Viewer")
    expect(theirs.get_by_test_id("invitation")).to_have_count(0)
    assert [each["role"] for each in other.ask("GET", "me")["memberships"]] == ["viewer"]


def test_an_invitation_is_declined(guest: HubVisitor) -> None:
    """And gone for who was invited, not for who asked."""
    owner, other = guest.person(""), guest.person("")
    made = owner.ask("POST", "projects", {"display_name": "Team"})
    owner.ask("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})
    page = other.look("/projects")

    page.get_by_role("button", name="Decline").click()

    expect(page.get_by_test_id("invitation")).to_have_count(0)
    assert [each["account"] for each in owner.ask("GET", f"projects/{made['id']}/invitations")["items"]] == [other.name]


def test_invitations_that_wait_are_seen_from_every_page(guest: HubVisitor) -> None:
    """Their number beside one's name, and the way to them in the menu; none once they are answered."""
    owner, other = guest.person(""), guest.person("")
    for name in ("Team", "Group"):
        made = owner.ask("POST", "projects", {"display_name": name})
        owner.ask("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})
    page = other.look("/tokens")
    account = page.get_by_test_id("account")
    expect(account).to_have_accessible_name(f"{other.name}, 2 invitations waiting")
    expect(page.get_by_test_id("invited")).to_have_text("2")

    account.click()
    page.get_by_role("menuitem", name="Invitations").click()
    for left in (1, 0):
        page.get_by_role("button", name="Decline").first.click()
        expect(page.get_by_test_id("invitation")).to_have_count(left)

    expect(page.get_by_test_id("invited")).to_have_count(0)
    expect(account).to_have_accessible_name(other.name)


def test_an_invitation_comes_while_a_page_is_open(guest: HubVisitor) -> None:
    """It is looked for now and then."""
    owner, other = guest.person(""), guest.person("")
    page = guest.look("/tokens", who=other.name)
    page.clock.install()
    page.reload()
    expect(page.get_by_test_id("account")).to_have_accessible_name(other.name)
    made = owner.ask("POST", "projects", {"display_name": "Team"})
    owner.ask("POST", f"projects/{made['id']}/invitations", {"account": other.name, "role": "viewer"})

    page.clock.fast_forward(31_000)

    expect(page.get_by_test_id("invited")).to_have_text("1")


def test_a_token_is_shown_once_and_works_until_it_is_revoked(guest: HubVisitor) -> None:
    """The page keeps its beginning, never the whole."""
    person = guest.person()
    page = person.look("/tokens")
    page.get_by_test_id("new").click()
    page.get_by_label("Name").fill("laptop")
    send(page, "Create")
    secret = page.get_by_test_id("once").input_value()
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    expect(line(page, "token", "laptop")).to_be_visible()

    assert guest.hub.ask("GET", "/api/v1/me", token=secret).status_code == 200
    assert secret not in page.content()

    page.get_by_role("button", name="Revoke laptop").click()
    send(page, "Revoke")
    expect(line(page, "token", "laptop")).to_have_count(0)
    assert guest.hub.ask("GET", "/api/v1/me", token=secret).status_code == 401


def test_an_administrator_makes_an_account_that_gets_in(guest: HubVisitor) -> None:
    """With the password that was given."""
    admin = guest.person(administrator=True)
    name = f"made-by-{admin.name}"
    page = admin.look("/accounts")
    page.get_by_test_id("new").click()
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)

    send(page, "Create")

    expect(line(page, "account-row", name)).to_contain_text("Person")
    assert log_in(guest, name) == 200


def test_a_disabled_account_stays_outside(guest: HubVisitor) -> None:
    """The list says so."""
    admin, other = guest.person(administrator=True), guest.person()
    page = admin.look("/accounts")
    page.get_by_role("button", name=f"Edit {other.name}", exact=True).click()
    page.get_by_role("checkbox", name="Disabled").check()

    send(page, "Save")

    expect(line(page, "account-row", other.name)).to_contain_text("Disabled")
    assert log_in(guest, other.name) in (401, 403)


def test_accounts_are_for_administrators(guest: HubVisitor) -> None:
    """Others have no way there; the address says why not, and offers nothing that is refused."""
    page = guest.person().look("/accounts")

    expect(page.get_by_role("heading", name="You may not see this")).to_be_visible()
    expect(page.get_by_role("link", name="Accounts")).to_have_count(0)
    expect(page.get_by_test_id("new")).to_have_count(0)


def test_the_audit_lists_who_did_what(guest: HubVisitor) -> None:
    """The newest first."""
    admin, person = guest.person(administrator=True), guest.person()
    person.ask("POST", "datasets", {"name": f"seen-{person.name}", "kind": "path", "uri": str(guest.logs)})

    page = admin.look("/audit")

    expect(line(page, "audit-row", person.name).first).to_contain_text("dataset.create")


def test_who_administers_a_project_sees_its_audit(guest: HubVisitor) -> None:
    """And nothing of others."""
    owner = guest.person("")
    owner.ask("POST", "projects", {"display_name": "Mine"})

    page = owner.look("/audit")

    expect(page.get_by_test_id("audit-row")).to_have_count(1)
    expect(page.get_by_test_id("audit-row")).to_contain_text("project.create")


def test_the_audit_is_narrowed(guest: HubVisitor) -> None:
    """To one person and one kind of act; the address keeps both."""
    admin, person = guest.person(administrator=True), guest.person("")
    person.ask("POST", "projects", {"display_name": "First"})
    person.ask("POST", "projects", {"display_name": "Second"})
    page = admin.look("/audit")
    page.get_by_role("searchbox", name="User name").fill(person.name)
    page.get_by_role("combobox", name="What").select_option("project.create")

    expect(page.get_by_test_id("audit-row")).to_have_count(2)
    address = page.url.removeprefix(guest.hub.url).replace("test=1&lang=en&", "")
    again = admin.look(address)
    expect(again.get_by_test_id("audit-row")).to_have_count(2)
    again.get_by_role("searchbox", name="User name").fill("nobody-here")
    expect(again.get_by_role("heading", name="Nothing matches")).to_be_visible()


def test_a_language_goes_with_the_account(guest: HubVisitor) -> None:
    """The page speaks it at once, and the account's other browsers do."""
    person = guest.person()
    page = person.look("/settings")
    page.get_by_label("Language").select_option("Русский")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("heading", name="Настройки", level=1)).to_be_visible()
    elsewhere = person.look("/settings", language="")
    expect(elsewhere.get_by_role("heading", name="Настройки", level=1)).to_be_visible()


def test_a_theme_is_kept_in_the_browser(guest: HubVisitor) -> None:
    """Chosen in the menu of the account."""
    page = guest.person().look("/settings")
    page.get_by_test_id("account").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    page.reload()
    ready(page)

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_new_password_wants_the_old_one(guest: HubVisitor) -> None:
    """A wrong one is said; with the right one only the new password lets in."""
    person = guest.person()
    page = person.look("/settings")
    page.get_by_label("Present password").fill("not the password")
    page.get_by_label("New password").fill(PASSWORD + " anew")
    page.get_by_label("Password again").fill(PASSWORD + " anew")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_be_visible()

    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()

    expect(page.get_by_test_id("toast")).to_have_text("Saved")
    assert log_in(guest, person.name) == 401
    assert log_in(guest, person.name, PASSWORD + " anew") == 200


def test_a_login_from_outside_that_fails_is_told_in_words(
    browser: Browser, hub_logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Nobody answers there: the login page is back, says so in the person's language, and knows where one went."""
    silent = "http://127.0.0.1:9"
    with RunningHub(tmp_path / "home", "--oidc-issuer", silent, "--oidc-client-id", "hub") as hub:
        guest = HubVisitor(browser, hub, hub_logs)
        page = guest.look("/login?next=/tokens", language="")
        page.get_by_role("link", name="Log in with 127.0.0.1:9").click()

        expect(page.get_by_role("alert")).to_contain_text("The login outside does not answer")
        assert page.url == f"{hub.url}/login?error=oidc&reason=provider&next=%2Ftokens"
        russian = guest.look("/login?error=oidc&reason=disabled", language="ru")
        expect(russian.get_by_role("alert")).to_contain_text("отключена")
        for each in guest.pages:
            each.context.close()


def lay_down(guest: HubVisitor, name: str) -> None:
    """A credential, as an administrator of the machine does."""
    folder = guest.hub.home / "hub" / "credentials"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{name}.toml"
    file.touch(mode=0o600)
    file.write_text('kind = "s3"\naccess_key_id = "id"\nsecret_access_key = "key"\n', "utf-8")


def log_in(guest: HubVisitor, name: str, password: str = PASSWORD) -> int:
    """The status of a login without a browser."""
    answer = httpx.post(f"{guest.hub.url}/api/v1/login", json={"name": name, "password": password}, trust_env=False)
    return answer.status_code
