"""The pages of submissions: one with its progress and figures, and the list of one's own."""

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from leaderboard.models.submissions import Submission
from leaderboard.selectors.access import may_read_items
from leaderboard.selectors.events import event_rows, event_view, newest_events
from leaderboard.selectors.items import item_databases, item_rows, item_view
from leaderboard.selectors.own_submissions import own_submission, submissions_of
from leaderboard.selectors.pages import cut
from leaderboard.selectors.rivals import standing_among
from leaderboard.selectors.submissions import submission_found, submission_view
from leaderboard.services.runs import submission_cancel
from leaderboard.web.forms import ItemsForm, page_number
from leaderboard.web.members import member


@require_safe
@cache_control(private=True, no_cache=True)
def submission_page(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Progress and figures for everybody; the items for the owner, the team and staff."""
    submission = submission_or_404(submission_id)
    context = live_context(request, submission)
    context["standing"] = standing_among(submission, owned=context["submission"].owned)
    if context["submission"].owned:
        form = ItemsForm(request.GET, databases=item_databases(submission))
        context["form"] = form
        context["items"] = cut(item_rows(submission, form.wanted()), item_view, page=form.page_wanted())
    return render(request, "leaderboard/submission.html", context)


def submission_or_404(submission_id: uuid.UUID) -> Submission:
    """The submission.

    Raises:
        Http404: there is none.
    """
    submission = submission_found(submission_id)
    if submission is None:
        raise Http404("There is no such submission.")
    return submission


def live_context(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    """What the part of the page needs that follows the runs."""
    view = submission_view(submission, reader=request.user, places=True)
    return {"submission": view, "events": newest_events(submission, owned=view.owned)}


@require_safe
@cache_control(private=True, no_cache=True)
def submission_live(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """The part of a submission's page that follows its runs, for a page that polls; `was` is the state it shows."""
    context = live_context(request, submission_or_404(submission_id))
    context["announce"] = request.GET.get("was") != context["submission"].status
    return render(request, "partials/submission_live.html", context)


@require_safe
@cache_control(private=True, no_cache=True)
def submission_events(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """All that happened to the runs of a submission; details for the owner, the team and staff."""
    submission = submission_or_404(submission_id)
    owned = may_read_items(request.user, submission)
    page = cut(event_rows(submission), partial(event_view, owned=owned), page=page_number(request.GET))
    return render(request, "leaderboard/events.html", {"submission": submission, "page": page, "owned": owned})


@login_required
@require_safe
def submission_list(request: HttpRequest) -> HttpResponse:
    """The submissions of the signed-in user and the user's team, the newest first."""
    user = member(request)
    page = cut(submissions_of(user), partial(own_submission, reader=user), page=page_number(request.GET))
    return render(request, "leaderboard/submissions.html", {"page": page})


@login_required
@require_POST
def submission_cancel_page(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Cancel what has not ended, then show the submission."""
    submission = submission_or_404(submission_id)
    user = member(request)
    if not may_read_items(user, submission):
        raise PermissionDenied("Only the owner of a submission, or the owner's team, may cancel it.")
    if submission_cancel(submission, by=user):
        messages.success(request, "The submission was cancelled.")
    else:
        messages.warning(request, "There was nothing left to cancel: every run had ended.")
    return redirect("submission", submission_id)
