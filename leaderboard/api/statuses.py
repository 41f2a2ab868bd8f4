"""The answer that tells where a submission is."""

import threading
import time
import uuid
from typing import Final

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.answers import SubmissionAnswer
from leaderboard.api.permissions import reader_of
from leaderboard.api.requests import LONGEST_WAIT
from leaderboard.models.submissions import Submission
from leaderboard.selectors.submissions import SubmissionView, submission_awaited, submission_found, submission_view

RETRY_SECONDS: Final = 2
POLL_SECONDS: Final = 0.5

WAITING_AT_ONCE: Final = 4
"""Half of the threads of a server process: whoever would keep more of them waiting keeps everybody else out."""
seats: Final = threading.BoundedSemaphore(WAITING_AT_ONCE)


def submission_or_404(submission_id: uuid.UUID) -> Submission:
    """The submission.

    Raises:
        Http404: there is none.
    """
    submission = submission_found(submission_id)
    if submission is None:
        raise Http404(f"There is no submission {submission_id}.")
    return submission


def status_answer(submission: Submission, *, request: Request, status: int = 200, wait: float = 0) -> Response:
    """The submission as the API shows it, with the headers that tell where and when to look again."""
    view = _awaited(submission, request=request, seconds=min(wait, LONGEST_WAIT))
    answer = SubmissionAnswer(view, context={"request": request}).data
    headers = {"Retry-After": str(RETRY_SECONDS)} if view.active else {}
    if status == 202:
        headers["Location"] = answer["links"]["self"]
    return Response(answer, status=status, headers=headers)


def _awaited(submission: Submission, *, request: Request, seconds: float) -> SubmissionView:
    """The submission as soon as it has ended, or as it is when the time is up, or at once where too many wait."""
    if seconds > 0 and seats.acquire(blocking=False):
        try:
            until = time.monotonic() + seconds
            while time.monotonic() < until and submission_awaited(submission):
                time.sleep(POLL_SECONDS)
        finally:
            seats.release()
    return submission_view(submission, reader=reader_of(request), places=True)
