"""The pages in a real browser: accessible, usable at 360 px, by keyboard and without JavaScript."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.db import connections, transaction
from django.utils import timezone
from playwright.sync_api import Browser, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from evaluation.gold_check import FindingKind
from leaderboard.models.events import EventKind
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.notices import NoticeKind
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook
from leaderboard.models.workers import WorkerNode
from leaderboard.services.corrections import correction_open, submission_rescore
from leaderboard.services.deliveries import delivery_record
from leaderboard.services.events import event_record
from leaderboard.services.notices import notice_create
from leaderboard.services.quota import quota_charge, quota_reserve
from leaderboard.services.tokens import token_create
from leaderboard.services.webhooks import call_create, webhook_create
from tests.leaderboard.described import describe
from tests.leaderboard.selectors.asked import make_asked
from tests.leaderboard.selectors.records import finish, make_release, make_submission

CHROMIUM: Final = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None
)

pytestmark = [
    pytest.mark.site,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found: install it, or name it in CHROMIUM"),
]

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip

PASSWORD = "a long enough password"
LINE = '{"question_id": "100", "query": "db.things.find({})", "condition": "with_evidence"}\n'
LONG_NAME = "A model whose name is so long that it says the size, the prompt and the date of its tune"[:80]

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL_TARGETS = """() => [...document.querySelectorAll(
    'button, .button, input:not([type=hidden]), select, nav a, summary, th a, .skip-link')]
  .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect().height])
  .filter(([_, height]) => height > 0 && height < 44)"""


@pytest.fixture
def addresses(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A site with everything that a page can show; the addresses of its pages by name."""
    # No worker listens here, and a broker may be absent.
    monkeypatch.setattr("leaderboard.queue._send", lambda *_: None)
    ann = User.objects.create_user("ann", password=PASSWORD)
    describe(make_release(version="0.9"))
    release = make_release()
    for seed, (entry, right) in enumerate([(LONG_NAME, 0.9), ("Middle", 0.6), ("Zero", 0.0)]):
        finish(make_submission(ann, release, entry=entry), right=right, seed=seed)
    scored = ann.submissions.get(entry=LONG_NAME)
    queued = make_submission(ann, release, entry="Waiting")
    token_create(ann, name="laptop")
    finish(make_asked(ann, release, entry="Asked"), seed=5)
    asked = ann.submissions.get(entry="Asked")
    asking = make_asked(ann, release, entry="Being asked", state=RunState.GENERATING, replies=5)
    webhook, rescored = note_everything(queued, scored)
    ticked = "&".join(f"entries={one.pk}" for one in (scored, asked, ann.submissions.get(entry="Zero")))
    return {
        "board": "/", "sorted": "/?sort=-soft_ex", "empty board": "/?release=tiny@0.9",
        "database": "/?release=tiny@1.0&database=heroes", "difficulty": "/?release=tiny@1.0&difficulty=simple",
        "heat map": "/?release=tiny@1.0&view=databases", "bars": "/?release=tiny@1.0&view=difficulty",
        "sorted heat map": "/?release=tiny@1.0&view=databases&sort=-cell:books",
        "scored": f"/submissions/{scored.pk}/", "waiting": f"/submissions/{queued.pk}/",
        "events": f"/submissions/{queued.pk}/events/", "quota": "/quota/", "notices": "/notices/",
        "webhooks": "/webhooks/", "webhook": f"/webhooks/{webhook.pk}/", "corrected": "/releases/tiny@2.0/",
        "rescored": f"/submissions/{rescored.pk}/",
        "models": "/?view=models&release=tiny@1.0&sort=-cost", "asking": f"/submissions/{asking.pk}/",
        "asked": f"/submissions/{asked.pk}/", "submit endpoint": "/submit/endpoint/",
        "compared": f"/compare/?{ticked}", "incomparable": f"/compare/?entries={queued.pk}", "compare": "/compare/",
        "evidence": "/?view=evidence&release=tiny@1.0", "items": "/releases/tiny@1.0/items/?sort=with_evidence",
        "item": "/releases/tiny@1.0/items/100/", "described item": "/releases/tiny@0.9/items/100/",
        "submit": "/submit/", "mine": "/submissions/", "tokens": "/tokens/", "releases": "/releases/",
        "release": "/releases/tiny@1.0/", "status": "/status/", "problems": "/problems/",
        "problem": "/problems/faulty-predictions", "nothing": "/nothing",
    }  # fmt: skip


def note_everything(queued: Submission, scored: Submission) -> tuple[Webhook, Submission]:
    """Events, quota, notices, a webhook with a log, a check of the gold, a correction with an entry scored again."""
    ann, release = queued.owner, queued.release
    run = queued.runs.first()
    assert run is not None
    for kind in EventKind.QUEUED, EventKind.BATCH_DONE, EventKind.HANDED_BACK:
        event_record(run.pk, kind=kind, detail="a sentence that says why", data={"database": "heroes", "items": 4})
    with transaction.atomic():
        quota_charge(quota_reserve(release.name, user=ann), queued)
    notice_create(ann, kind=NoticeKind.SCORED, title="It was scored", text="Strict-EX 61 %.", submission=scored)
    webhook, _ = webhook_create(ann, url="https://hooks.example.org/a/rather/long/address/for/a/narrow/window")
    delivery_record(call_create(webhook, event="e", data={}).pk, at=timezone.now(), status=503, milliseconds=12)
    item = release.items.first()
    assert item is not None
    check = GoldCheck.objects.create(
        release=release, engine="MongoDB 8.0", checked_at=timezone.now(), items=12, equal=12, seconds=1
    )
    GoldFinding.objects.create(check_run=check, item=item, kind=FindingKind.AMBIGUOUS, detail="d")
    WorkerNode.objects.create(name="w", queues="scoring", slots=2, started_at=timezone.now(), seen_at=timezone.now())
    corrected = make_release(version="2.0", live=False)
    corrected.items.filter(question_id="100").update(gold_query="db.things.find({})")
    correction_open(release, corrected, set_aside={}, reasons={}, reason="The old gold asked for the wrong age.")
    rescored = submission_rescore(scored)
    assert rescored is not None
    finish(rescored, right=0.5)
    return webhook, rescored


@pytest.fixture
def browser(addresses: dict[str, str]) -> Iterator[Browser]:
    """A browser that is closed before the database is emptied, with whose connection its event loop would collide."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture
def opened(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., Page]]:
    """Opens a page of a new browser profile; fails the test if a page complained, for example about our CSP."""
    complaints: list[str] = []

    def open_page(*, width: int = 1280, **options: Any) -> Page:
        context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 900}, **options)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    # The browser reports every answer of 400 and more as an error; those are asked for on purpose.
    assert [text for text in complaints if "Failed to load resource" not in text] == []


def log_in(page: Page) -> None:
    """Log in by the form."""
    page.goto("/login/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Log out").wait_for()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_the_checker_finds_nothing_and_no_page_is_wider_than_the_window(
    opened: Callable[..., Page], addresses: dict[str, str], scheme: str, width: int
) -> None:
    page = opened(width=width, color_scheme=scheme)
    for name in ("board", "empty board", "scored", "compared", "item", "login"):
        check(page, name, addresses.get(name, "/login/"))
    log_in(page)
    for name, address in addresses.items():
        check(page, name, address)


def check(page: Page, name: str, address: str) -> None:
    """No violation, no scrolling of the whole page, nothing too small for a finger."""
    page.goto(address)
    assert faults_of(page) == ([], 0, []), name


def faults_of(page: Page) -> tuple[list[Any], int, list[Any]]:
    """What the checker finds on the page that is open, how much wider than the window it is, what is too small."""
    violations = [
        (v["id"], v["help"], [n["html"][:150] for n in v["nodes"]]) for v in Axe().run(page).response["violations"]
    ]
    return violations, max(0, page.evaluate(OVERFLOW)), page.evaluate(SMALL_TARGETS)


def test_the_keyboard_reaches_the_content_the_tables_and_their_sorting(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened()
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = []
    for _ in range(24):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.innerText")
        )
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", seen[-1]
        if seen[-1].startswith("Strict-EX"):
            page.keyboard.press("Enter")
            page.wait_for_url("**/?sort=-strict_ex**")
            break
    assert "Board, with evidence" in seen
    assert page.locator("th[aria-sort]").first.get_attribute("aria-sort") == "descending"


def test_the_whole_way_in_works_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str], tmp_path: Path
) -> None:
    page = opened(width=360, java_script_enabled=False)
    faulty, right = tmp_path / "faulty.jsonl", tmp_path / "right.jsonl"
    faulty.write_text(LINE + "no json\n")
    right.write_text(LINE)
    page.goto("/submit/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_label("Entry name").fill("By browser")
    page.get_by_label("Prediction file").set_input_files(faulty)
    page.get_by_role("button", name="Check and submit").click()
    assert "faulty.jsonl, line 2" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Entry name").input_value() == "By browser"
    page.get_by_label("Prediction file").set_input_files(right)
    page.get_by_role("button", name="Check and submit").click()
    assert page.get_by_role("heading", level=1).inner_text() == "By browser"
    assert "0 of 13 items judged" in page.get_by_role("main").inner_text()
    page.get_by_text("Cancel this submission").click()
    page.get_by_role("button", name="Cancel the submission").click()
    assert "The submission was cancelled" in page.get_by_role("status").inner_text()


def test_a_database_is_picked_and_left_and_a_table_kept_without_javascript(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened(width=360, java_script_enabled=False)
    page.goto("/?release=tiny@1.0")
    page.get_by_label("Database", exact=True).select_option("heroes")
    page.get_by_role("button", name="Show this database").click()
    assert "Only the 4 items of database heroes, of 12" in page.get_by_role("main").inner_text()
    with page.expect_download() as kept:
        page.get_by_role("link", name="CSV").click()
    assert kept.value.suggested_filename == "aptboard-tiny-1.0-database-heroes.csv"
    page.get_by_role("link", name="Back to all items").click()
    page.get_by_role("heading", name="As reported, not run here").wait_for()
    assert "database=" not in page.url


def test_the_entries_of_a_heat_map_stay_in_view_while_its_databases_are_scrolled(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened(width=360)
    page.goto(addresses["heat map"])
    region = page.get_by_role("region", name="Entries by databases, with evidence")
    name = region.get_by_role("rowheader").first
    before, scrolled = name.bounding_box(), region.evaluate("e => { e.scrollLeft = 90; return e.scrollLeft }")
    assert scrolled > 0
    assert name.bounding_box() == before


def end_waiting() -> None:
    """Let the waiting submission end with a score."""
    finish(Submission.objects.get(entry="Waiting"), right=0.5)
    connections.close_all()


def test_progress_is_shown_as_it_happens_without_taking_the_focus_and_polling_stops_at_the_end(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened()
    polls: list[str] = []
    page.on("request", lambda request: polls.append(request.url) if "/live/" in request.url else None)
    page.goto(addresses["waiting"])
    page.locator("#all-events").focus()
    with page.expect_response("**/live/**"):
        pass
    page.wait_for_timeout(200)
    assert page.evaluate("document.activeElement.id") == "all-events"
    assert page.locator("#announcement").inner_text() == ""
    # Playwright's event loop runs in this thread, where Django then refuses to ask the database.
    ending = threading.Thread(target=end_waiting)
    ending.start()
    ending.join()
    page.get_by_text("Show all results").wait_for(timeout=8000)
    assert page.locator("#announcement").inner_text() == "The submission is now scored."
    assert page.locator("#submission-badge").inner_text().strip().endswith("scored")
    assert page.locator("progress").count() == 0
    seen = len(polls)
    page.wait_for_timeout(3500)
    assert len(polls) == seen


def test_a_token_can_be_made_and_is_gone_from_the_next_page(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    page = opened(java_script_enabled=False)
    log_in(page)
    page.goto("/tokens/")
    page.get_by_label("Name").fill("browser")
    page.get_by_role("button", name="Make a token").click()
    secret = page.get_by_label("The new token").inner_text()
    assert secret.startswith("apt_live_")
    page.goto("/tokens/")
    assert secret not in page.content()


def test_what_moves_stands_still_for_those_who_want_that(
    opened: Callable[..., Page], addresses: dict[str, str]
) -> None:
    duration = "getComputedStyle(document.querySelector('button')).transitionDuration"
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page = opened(reduced_motion=motion)
        page.goto("/login/")
        assert (page.evaluate(duration) != "0s") == moves
