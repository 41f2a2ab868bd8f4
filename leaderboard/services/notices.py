"""Notices: writing them in the transaction of what they tell of, reading them, and sending them by e-mail."""

import logging
import smtplib
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from evaluation.aggregate import Report
from evaluation.types import Condition
from leaderboard.models.notices import MailChoice, MailState, Notice, NoticeKind, NoticePreference
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.queue import SEND_NOTICE, publish
from leaderboard.selectors.notices import mail_address, mail_choice

logger = logging.getLogger(__name__)

LONGEST_TITLE: Final = 200
MAIL_LEASE: Final = timedelta(minutes=5)
"""How long a worker has for one e-mail before another one may try."""
MAIL_ATTEMPTS: Final = 8
TROUBLES: Final = frozenset({NoticeKind.TROUBLE, NoticeKind.WEBHOOK_STOPPED})

CONDITION_WORDS: Final = {
    Condition.WITH_EVIDENCE: "with evidence",
    Condition.WITHOUT_EVIDENCE: "without evidence",
}


def notice_create(
    user: User, *, kind: NoticeKind, title: str, text: str, submission: Submission | None = None
) -> Notice:
    """Tell a user something; by e-mail as well where the user has an address and wants it."""
    now = timezone.now()
    wanted = mail_wanted(user, kind)
    notice = Notice.objects.create(
        user=user,
        kind=kind,
        submission=submission,
        # A line break in a title would be one in an e-mail's header.
        title=" ".join(title.split())[:LONGEST_TITLE],
        text=text,
        created_at=now,
        mail_state=MailState.WAITING if wanted else MailState.UNWANTED,
        mail_due_at=now if wanted else None,
    )
    if wanted:
        publish(SEND_NOTICE, notice.pk)
    return notice


def mail_wanted(user: User, kind: NoticeKind) -> bool:
    """Whether a user can be mailed, and wants this kind of notice by e-mail."""
    if not mail_address(user):
        return False
    choice = mail_choice(user)
    return choice == MailChoice.ALL or (choice == MailChoice.TROUBLE and kind in TROUBLES)


def notice_preference_set(user: User, choice: MailChoice) -> None:
    """Keep a user's choice; e-mails that wait and are no longer wanted are not sent."""
    NoticePreference.objects.update_or_create(user=user, defaults={"mail": choice})
    waiting = Notice.objects.filter(user=user, mail_state=MailState.WAITING)
    if choice == MailChoice.TROUBLE:
        waiting = waiting.exclude(kind__in=TROUBLES)
    if choice != MailChoice.ALL:
        waiting.update(mail_state=MailState.UNWANTED, mail_due_at=None)


def notices_read(user: User) -> int:
    """Mark all of a user's notices as read; how many were new."""
    return Notice.objects.filter(user=user, read_at=None).update(read_at=timezone.now())


def submission_ended_notice(submission: Submission, runs: Sequence[Run], *, ours: bool) -> None:
    """Tell the owner how a submission ended; a cancellation is no news to who cancelled.

    Args:
        submission: the submission.
        runs: its runs, all ended.
        ours: some of them ended without a score through our fault.
    """
    if all(run.state == RunState.CANCELLED for run in runs):
        return
    good = all(run.state in {RunState.FINISHED, RunState.CANCELLED} for run in runs)
    again = submission.rescored_from_id is not None
    kind = (NoticeKind.RESCORED if again else NoticeKind.SCORED) if good else NoticeKind.TROUBLE
    verb = ("was scored again" if again else "was scored") if good else "has no full score"
    notice_create(
        submission.owner,
        kind=kind,
        submission=submission,
        title=f"“{submission.entry}” {verb} on {submission.release}",
        text="\n".join([*map(_run_line, runs), *([OUR_FAULT] if ours else [])]),
    )


def submission_cancelled_notice(submission: Submission, *, by: str) -> None:
    """Tell the owner that somebody else, `by`, cancelled a submission."""
    notice_create(
        submission.owner,
        kind=NoticeKind.TROUBLE,
        submission=submission,
        title=f"“{submission.entry}” was cancelled on {submission.release}",
        text=f"It was cancelled by {by}.",
    )


def submission_rejudged_notice(run: Run, *, before: Report, after: Report) -> None:
    """Tell the owner that a newer scorer found another figure for predictions that were scored before."""
    submission = run.submission
    words = CONDITION_WORDS[Condition(run.condition)].capitalize()
    figures = " → ".join("–" if each is None else f"{100 * each:.2f} %" for each in _strict(before, after))
    notice_create(
        submission.owner,
        kind=NoticeKind.RESCORED,
        submission=submission,
        title=f"“{submission.entry}” was scored again on {submission.release}",
        text=f"{words}: Strict-EX {figures}. The scorer is another one; its version stands with the figures.",
    )


def _strict(*reports: Report) -> list[float | None]:
    return [report.strict_ex.value for report in reports]


OUR_FAULT: Final = (
    "This is a fault on our side: nothing counts as wrong, and the submission costs no quota. A run that is "
    "incomplete is taken up again by itself."
)


def _run_line(run: Run) -> str:
    words = CONDITION_WORDS[Condition(run.condition)]
    if run.state != RunState.FINISHED or run.report is None:
        return f"{words.capitalize()}: {run.state}."
    strict = Report.from_json(run.report).strict_ex.value
    rank = f", rank {run.standing.rank}" if hasattr(run, "standing") else ""
    return (
        f"{words.capitalize()}: Strict-EX {100 * strict:.2f} %{rank}."
        if strict is not None
        else f"{words.capitalize()}: done."
    )


def notices_due() -> list[int]:
    """Notices whose e-mail should be tried now."""
    due = Notice.objects.filter(mail_state=MailState.WAITING, mail_due_at__lte=timezone.now())
    return list(due.order_by("mail_due_at").values_list("pk", flat=True)[:500])


def notice_mail(notice_id: int) -> bool:
    """Send the e-mail of a notice if it is due and still wanted; True where it was sent.

    A worker that dies between sending and noting it sends twice, with one Message-ID: mail programs show one of them.
    """
    notice = _claimed(notice_id)
    if notice is None:
        return False
    if not mail_wanted(notice.user, NoticeKind(notice.kind)):
        Notice.objects.filter(pk=notice_id).update(mail_state=MailState.UNWANTED, mail_due_at=None)
        return False
    try:
        _message(notice).send()
    # ValueError: an address or a name that cannot stand in a header. It must not end the round of all others.
    except (smtplib.SMTPException, OSError, ValueError) as error:
        logger.warning("notice %s could not be mailed: %s", notice_id, type(error).__name__)
        _put_off(notice)
        return False
    Notice.objects.filter(pk=notice_id).update(mail_state=MailState.SENT, mail_due_at=None)
    return True


@transaction.atomic
def _claimed(notice_id: int) -> Notice | None:
    now = timezone.now()
    notice = (
        Notice.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("user")
        .filter(pk=notice_id, mail_state=MailState.WAITING, mail_due_at__lte=now)
        .first()
    )
    if notice is not None:
        notice.mail_attempts += 1
        notice.mail_due_at = now + MAIL_LEASE
        notice.save(update_fields=["mail_attempts", "mail_due_at"])
    return notice


def _put_off(notice: Notice) -> None:
    spent = notice.mail_attempts >= MAIL_ATTEMPTS
    notice.mail_state = MailState.GIVEN_UP if spent else MailState.WAITING
    notice.mail_due_at = None if spent else timezone.now() + timedelta(minutes=2**notice.mail_attempts)
    notice.save(update_fields=["mail_state", "mail_due_at"])


def _message(notice: Notice) -> EmailMessage:
    link = reverse("submission", args=[notice.submission_id]) if notice.submission_id else reverse("notices")
    choose = settings.SITE_URL + reverse("notices")
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("<> ") or "localhost"
    return EmailMessage(
        subject=f"[AptBoard] {notice.title}",
        body=f"{notice.title}\n\n{notice.text}\n\n{settings.SITE_URL}{link}\n\n-- \nWhich e-mails you get: {choose}\n",
        to=[mail_address(notice.user)],
        headers={
            "List-Unsubscribe": f"<{choose}>",
            "Message-ID": f"<notice-{notice.pk}@{domain}>",
            "Auto-Submitted": "auto-generated",
        },
    )
