"""Naming a model endpoint in a real browser: by keyboard alone, without JavaScript, on a narrow screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.end_to_end import test_browser_pages
from tests.end_to_end.test_browser_pages import PASSWORD, addresses, browser, opened

pytestmark = test_browser_pages.pytestmark

__all__ = ["addresses", "browser", "opened"]

SECRET = "sk-typed-by-hand-77"


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()"))


def test_a_model_is_named_without_javascript_and_by_keyboard_alone(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened(width=360)
    page.goto(addresses["submit endpoint"])
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Evaluate a model endpoint").wait_for()
    page.get_by_label("Entry name").focus()
    typed = {"entry": "By keyboard", "model": "model-a", "address": "http://10.0.0.1/v1", "key": SECRET, "seed": "x"}
    seen: list[str] = []
    while (name := focused(page)) != "Check and submit":
        assert len(seen) < 60, seen
        seen.append(name)
        if name in typed:
            page.keyboard.type(typed[name])
        page.keyboard.press("Tab")
    assert seen.index("key") < seen.index("conditions") < seen.index("budget_usd") < seen.index("links")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert page.get_by_label("Address").get_attribute("aria-invalid") == "true"
    described = page.get_by_label("Address").get_attribute("aria-describedby") or ""
    told = " ".join(page.locator(f"#{name}").inner_text() for name in described.split())
    assert "Only https is called" in told
    assert page.get_by_label("API key").input_value() == ""
    assert SECRET not in page.content()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_whole_way_in_works_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str], width: int
) -> None:
    page = opened(width=width, java_script_enabled=False)
    page.goto("/submit/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Name a model endpoint").click()
    page.get_by_label("Entry name").fill("By browser")
    page.get_by_label("Model", exact=True).fill("model-a")
    page.get_by_label("Address").fill("https://models.example.org/v1")
    page.get_by_label("API key").fill(SECRET)
    page.get_by_label("Without evidence").uncheck()
    page.get_by_label("Weights").select_option("Open weights")
    page.get_by_role("button", name="Check and submit").click()
    assert page.get_by_role("heading", level=1).inner_text() == "By browser"
    main = page.get_by_role("main").inner_text()
    assert "0 of 12 items replied to" in main
    assert "kept until the runs have ended" in main
    assert SECRET not in page.content()
    page.get_by_text("Cancel this submission").click()
    page.get_by_role("button", name="Cancel the submission").click()
    assert "The submission was cancelled" in page.get_by_role("status").first.inner_text()
