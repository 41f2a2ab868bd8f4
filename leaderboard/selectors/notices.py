"""Reading of a user's notices."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from leaderboard.models.notices import MailChoice, MailState, Notice, NoticeKind, NoticePreference
from leaderboard.selectors.accounts import may_be_mailed


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """One notice as its reader sees it."""

    kind: NoticeKind
    title: str
    text: str
    submission: str
    created_at: datetime
    new: bool
    mail_state: MailState


def notice_rows(user: User) -> QuerySet[Notice]:
    """A user's notices, the newest first."""
    return Notice.objects.filter(user=user).order_by("-id")


def notice_view(notice: Notice) -> NoticeView:
    """The record of one row."""
    return NoticeView(
        kind=NoticeKind(notice.kind),
        title=notice.title,
        text=notice.text,
        submission=str(notice.submission_id or ""),
        created_at=notice.created_at,
        new=notice.read_at is None,
        mail_state=MailState(notice.mail_state),
    )


def notices_new(user: User) -> int:
    """How many notices a user has not read; one query."""
    return Notice.objects.filter(user=user, read_at=None).count()


def mail_address(user: User) -> str:
    """Where a user's e-mails go; "" where none may be sent, as to an address that nobody has verified."""
    return user.email.strip() if user.is_active and may_be_mailed(user) else ""


def mail_choice(user: User) -> MailChoice:
    """Which notices a user wants by e-mail."""
    kept = NoticePreference.objects.filter(user=user).values_list("mail", flat=True).first()
    return MailChoice(kept or MailChoice.ALL)
