"""Accounts and teams in a real browser: from sign-up to the first submission, two-step login, pages for everybody."""

import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core import mail
from django.db import connections
from playwright.sync_api import Page

from leaderboard.services.invitations import invitation_accept, invitation_create
from leaderboard.services.teams import team_create
from tests.end_to_end import test_browser_pages
from tests.end_to_end.test_browser_pages import LINE, PASSWORD, addresses, browser, check, log_in, opened

pytestmark = test_browser_pages.pytestmark

__all__ = ["addresses", "browser", "opened"]

TEAM = "Group for Languages and Databases of the University of Somewhere in the World"


def last_link() -> str:
    """The path of the link in the e-mail that was sent last."""
    found = re.search(r"http://localhost:8000(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found.group(1)


def apart(work: Callable[[], object]) -> None:
    """Ask the database in another thread: Playwright's event loop runs in this one, where Django refuses to."""

    def run() -> None:
        work()
        connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def give_password(page: Page) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def switch_on(page: Page) -> str:
    """Switch two-step login on, from the page that asks for the first code; returns the app's secret."""
    secret = page.get_by_label("Secret for the authenticator app").inner_text().strip()
    page.get_by_label("Code", exact=True).fill(code_at(secret))
    page.get_by_role("button", name="Switch on").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()
    return secret


def code_at(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def make_team() -> None:
    """Ann's team of two, with an invitation to a long address; and one that waits for her guest."""
    ann, bea = User.objects.get(username="ann"), User.objects.create_user("bea", password=PASSWORD)
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    EmailAddress.objects.create(
        user=ann, email="a.rather.long.address@department.university.example.org", verified=True
    )
    team_create(ann, name=TEAM)
    invitation_accept(bea, invitation_create(ann, username="bea").pk)
    User.objects.create_user("guest", password=PASSWORD)
    invitation_create(ann, username="guest")
    invitation_create(ann, email="somebody.new@department.university.example.org")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_the_checker_finds_nothing_on_the_pages_of_accounts_and_teams(
    opened: Callable[..., Page], addresses: dict[str, str], scheme: str, width: int
) -> None:
    apart(make_team)
    page = opened(width=width, color_scheme=scheme)
    for address in ("/signup/", "/account/password/reset/", "/account/email/sent/", "/account/email/verify/x/"):
        check(page, address, address)
    page.goto("/signup/")
    page.get_by_role("button", name="Sign up").click()
    check_here(page, "sign-up with faults")
    page.goto("/login/")
    page.get_by_label("Username").fill("guest")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    check(page, "invited", "/teams/")
    page.get_by_role("button", name="Log out").click()
    log_in(page)
    for address in ("/account/", "/teams/", "/account/email/", "/account/password/", "/account/two-step/"):
        check(page, address, address)
    page.goto("/account/two-step/app/")
    check_here(page, "password again")
    give_password(page)
    check_here(page, "authenticator app")
    switch_on(page)
    check_here(page, "recovery codes")
    for address in (
        "/account/two-step/",
        "/account/two-step/codes/new/",
        "/account/two-step/app/remove/",
        "/account/delete/",
    ):
        check(page, address, address)
    page.get_by_role("button", name="Log out").click()
    page.goto("/login/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="The second step").wait_for()
    check_here(page, "second step")


def check_here(page: Page, name: str) -> None:
    """What `check` does, on a page that is not loaded again."""
    assert test_browser_pages.faults_of(page) == ([], 0, []), name


def test_a_stranger_signs_up_verifies_submits_and_makes_a_team_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "right.jsonl"
    file.write_text(LINE)
    page = opened(width=360, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("E-mail address").fill("newcomer@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.get_by_role("heading", name="Look at your e-mail").wait_for()
    page.goto(last_link())
    page.get_by_role("button", name="Yes, verify the address").click()
    page.get_by_role("heading", name="Submit predictions").wait_for()
    page.get_by_label("Entry name").fill("My first entry")
    page.get_by_label("Prediction file").set_input_files(file)
    page.get_by_role("button", name="Check and submit").click()
    assert page.get_by_role("heading", level=1).inner_text() == "My first entry"
    page.get_by_role("link", name="Account: newcomer").click()
    page.get_by_role("link", name="Team", exact=True).click()
    page.get_by_label("Name").fill("Newcomers")
    page.get_by_role("button", name="Make the team").click()
    # What was sent before counts for the team.
    assert page.get_by_role("row", name=re.compile("^tiny")).get_by_role("cell").all_inner_texts()[0] == "1"
    page.get_by_label("Username or e-mail address").fill("ann")
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("Link of the invitation").inner_text()
    other = opened(java_script_enabled=False)
    other.goto(link)
    other.get_by_label("Username").fill("ann")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("button", name="Log in").click()
    other.get_by_role("button", name="Join").click()
    assert other.get_by_role("heading", level=1).inner_text() == "Team: Newcomers"


def test_two_step_login_is_switched_on_and_asked_for_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened(java_script_enabled=False)
    log_in(page)
    page.goto("/account/two-step/")
    page.get_by_role("link", name="Switch on").click()
    give_password(page)
    box = page.get_by_role("img", name="QR code").bounding_box()
    assert box is not None
    assert box["width"] > 200
    secret = switch_on(page)
    page.get_by_role("button", name="Log out").click()
    page.goto("/tokens/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Code").fill(code_at(secret))
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="API tokens").wait_for()
