"""Comparing entries in a real browser: ticked on the board without JavaScript, and by keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.end_to_end import test_browser_pages
from tests.end_to_end.test_browser_pages import addresses, browser, log_in, opened

pytestmark = test_browser_pages.pytestmark

__all__ = ["addresses", "browser", "opened"]

BOARD = "/?release=tiny@1.0"


@pytest.mark.parametrize("width", [360, 1280])
def test_entries_are_ticked_and_compared_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str], width: int
) -> None:
    page = opened(width=width, java_script_enabled=False)
    page.goto(BOARD)
    table = page.get_by_role("region", name="Board, with evidence")
    for entry in ("Middle", "Zero"):
        table.get_by_label(f"Compare {entry}").check()
    page.locator("#with_evidence-compare").get_by_role("button").click()
    main = page.get_by_role("main").inner_text()
    for words in ("A Middle", "B Zero", "Who is better?", "Strict-EX by database"):
        assert words in main
    assert "Items on which they differ" not in main


def test_an_owner_finds_by_keyboard_what_one_version_broke(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened()
    log_in(page)
    page.goto(BOARD)
    table = page.get_by_role("region", name="Board, with evidence")
    for entry in ("Middle", "Zero"):
        table.get_by_label(f"Compare {entry}").focus()
        page.keyboard.press("Space")
    page.locator("#with_evidence-compare button").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Items on which they differ").wait_for()
    pairs = page.get_by_role("region", name="Pairs of entries, with evidence")
    link = pairs.get_by_role("link", name="show them").first
    broken = link.inner_text().split(",")[0].strip()
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**right=**")
    assert f"{broken} difference" in page.get_by_role("region", name="Table of differences").inner_text()
    page.get_by_role("region", name="Table of differences").get_by_role("link").first.click()
    page.get_by_role("heading", name="What your entries answered").wait_for()
