"""Notices: the user's choice is honoured, and an e-mail is sent once however many workers try."""

import smtplib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from leaderboard.models.notices import MailChoice, MailState, Notice, NoticeKind, NoticePreference
from leaderboard.selectors.notices import mail_choice, notices_new
from leaderboard.services.notices import (
    MAIL_ATTEMPTS,
    notice_create,
    notice_mail,
    notice_preference_set,
    notices_due,
    notices_read,
)
from leaderboard.services.runs import run_fail
from tests.leaderboard.builders import live_release, submission
from workers.notices import send_due_notices
from workers.rounds import within

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", email="ann@example.org")


def tell(user: User, *, kind: NoticeKind = NoticeKind.SCORED, title: str = "A title") -> Notice:
    return notice_create(user, kind=kind, title=title, text="A text.")


@pytest.mark.parametrize(
    ("choice", "kind", "wanted"),
    [
        (MailChoice.ALL, NoticeKind.SCORED, True),
        (MailChoice.ALL, NoticeKind.TROUBLE, True),
        (MailChoice.TROUBLE, NoticeKind.SCORED, False),
        (MailChoice.TROUBLE, NoticeKind.RESCORED, False),
        (MailChoice.TROUBLE, NoticeKind.TROUBLE, True),
        (MailChoice.TROUBLE, NoticeKind.WEBHOOK_STOPPED, True),
        (MailChoice.NONE, NoticeKind.TROUBLE, False),
    ],
)
def test_only_what_is_wanted_is_mailed(ann: User, choice: MailChoice, kind: NoticeKind, wanted: bool) -> None:
    notice_preference_set(ann, choice)
    assert mail_choice(ann) == choice
    notice = tell(ann, kind=kind)
    assert notice_mail(notice.pk) is wanted
    assert len(mail.outbox) == wanted
    assert notices_new(ann) == 1


def test_without_an_address_notices_stay_in_the_site() -> None:
    notice = tell(User.objects.create_user("bob"))
    assert (notice.mail_state, notices_due()) == (MailState.UNWANTED, [])


def test_a_choice_holds_for_what_still_waits(ann: User) -> None:
    good, bad = tell(ann), tell(ann, kind=NoticeKind.TROUBLE)
    notice_preference_set(ann, MailChoice.TROUBLE)
    assert notices_due() == [bad.pk]
    notice_preference_set(ann, MailChoice.NONE)
    assert notices_due() == []
    good.refresh_from_db()
    assert good.mail_state == MailState.UNWANTED


def test_an_e_mail_says_what_it_is_about_and_where_to_choose(ann: User) -> None:
    made = submission(live_release(), owner=ann)
    notice = notice_create(ann, kind=NoticeKind.SCORED, title="T", text="Strict-EX 61.20 %.", submission=made)
    assert notice_mail(notice.pk)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["ann@example.org"], "[AptBoard] T")
    for words in (
        "Strict-EX 61.20 %.",
        f"http://localhost:8000/submissions/{made.pk}/",
        "http://localhost:8000/notices/",
    ):
        assert words in sent.body
    assert sent.extra_headers["Message-ID"] == f"<notice-{notice.pk}@localhost>"


def test_a_name_with_a_line_break_cannot_add_a_header(ann: User) -> None:
    notice = tell(ann, title="x\r\nBcc: everybody@example.org\u2028y" + "z" * 300)
    assert notice_mail(notice.pk)
    assert "\n" not in mail.outbox[0].subject
    assert len(notice.title) == 200
    assert mail.outbox[0].recipients() == ["ann@example.org"]


def test_an_e_mail_is_sent_once_whoever_tries(ann: User) -> None:
    notice = tell(ann)
    assert [notice_mail(notice.pk) for _ in range(3)] == [True, False, False]
    assert len(mail.outbox) == 1


def test_a_mail_server_that_is_down_is_tried_again_later_and_given_up_in_the_end(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: Any, **__: Any) -> int:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(EmailMessage, "send", down)
    notice = tell(ann)
    pauses = []
    for _ in range(MAIL_ATTEMPTS):
        assert not notice_mail(notice.pk)
        notice.refresh_from_db()
        pauses.append(notice.mail_due_at - timezone.now() if notice.mail_due_at else None)
        assert notices_due() == []
        Notice.objects.filter(pk=notice.pk, mail_state=MailState.WAITING).update(mail_due_at=timezone.now())
    waits = [pause for pause in pauses if pause is not None]
    assert waits == sorted(waits)
    assert waits[0] > timedelta(minutes=1)
    assert (notice.mail_state, pauses[-1], notices_due()) == (MailState.GIVEN_UP, None, [])


def test_a_worker_that_dies_while_it_mails_is_followed_by_another_one(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: Any, **__: Any) -> int:
        raise Killed

    notice = tell(ann)
    with monkeypatch.context() as dying:
        dying.setattr(EmailMessage, "send", die)
        with pytest.raises(Killed):
            notice_mail(notice.pk)
    assert not notice_mail(notice.pk)
    Notice.objects.update(mail_due_at=timezone.now() - timedelta(seconds=1))
    assert notices_due() == [notice.pk]
    assert notice_mail(notice.pk)


def test_all_can_be_marked_as_read_and_only_ones_own(ann: User) -> None:
    other = User.objects.create_user("bob")
    for user in (ann, ann, other):
        tell(user)
    assert notices_read(ann) == 2
    assert (notices_new(ann), notices_new(other)) == (0, 1)


@pytest.mark.parametrize("change", [{"email": ""}, {"email": "  "}, {"is_active": False}])
def test_who_cannot_be_mailed_any_more_when_it_is_due_is_not(ann: User, change: dict[str, Any]) -> None:
    notice = tell(ann)
    User.objects.filter(pk=ann.pk).update(**change)
    assert not notice_mail(notice.pk)
    notice.refresh_from_db()
    assert (mail.outbox, notice.mail_state, notice.mail_due_at) == ([], MailState.UNWANTED, None)


def test_a_choice_that_was_made_while_the_e_mail_waited_is_honoured(ann: User) -> None:
    notice = tell(ann)
    NoticePreference.objects.create(user=ann, mail=MailChoice.NONE)
    assert not notice_mail(notice.pk)
    assert mail.outbox == []


def test_an_address_that_cannot_be_written_holds_up_nobody_elses_e_mail(ann: User) -> None:
    eve = User.objects.create_user("eve", email="eve@example.org\nBcc: all@example.org")
    bad, good = tell(eve), tell(ann)
    send_due_notices()
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.mail_state, good.mail_state) == (MailState.WAITING, MailState.SENT)
    assert [message.to for message in mail.outbox] == [["ann@example.org"]]


def test_an_e_mail_can_be_unsubscribed_from_by_a_mail_program(ann: User) -> None:
    notice_mail(tell(ann).pk)
    assert mail.outbox[0].extra_headers["List-Unsubscribe"] == "<http://localhost:8000/notices/>"


def test_a_round_ends_in_time_however_slow_the_mail_server_is() -> None:
    assert list(within(range(3))) == [0, 1, 2]
    assert list(within(range(3), seconds=0)) == []


def test_a_broken_mail_server_loses_no_end_of_a_run(
    ann: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def down(*_: Any, **__: Any) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailMessage, "send", down)
    monkeypatch.setattr("leaderboard.queue._send", lambda task, ids, *_: ids and notice_mail(ids[0]))
    run = submission(live_release(), owner=ann).runs.get()
    with django_capture_on_commit_callbacks(execute=True):
        assert run_fail(run.pk, reason="because")
    run.refresh_from_db()
    notice = Notice.objects.get()
    assert (run.state, notice.mail_state, notice.mail_attempts) == ("failed", MailState.WAITING, 1)
