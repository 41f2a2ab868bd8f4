"""The tasks that send notices by e-mail."""

from leaderboard.services.notices import notice_mail, notices_due
from workers.celery import app
from workers.rounds import within


@app.task
def send_notice(notice_id: int) -> None:
    """Send the e-mail of one notice, if it is due."""
    notice_mail(notice_id)


@app.task
def send_due_notices() -> None:
    """Send what a lost message or a failing mail server left behind, as far as time allows; the next round goes on."""
    for notice_id in within(notices_due()):
        notice_mail(notice_id)
