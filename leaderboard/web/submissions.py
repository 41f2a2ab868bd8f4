"""The pages of submissions: one with its progress and figures, and the list of one's own."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from leaderboard.selectors.access import may_read_items
from leaderboard.selectors.items import item_databases, item_rows, item_view
from leaderboard.selectors.pages import cut
from leaderboard.selectors.submissions import own_submission, submission_found, submission_view, submissions_of
from leaderboard.services.runs import submission_cancel
from leaderboard.web.forms import ItemsForm, page_number
from leaderboard.web.members import member


@require_safe
@cache_control(private=True, no_cache=True)
def submission_page(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Progress and figures for everybody; the items for the owner and staff."""
    submission = submission_found(submission_id)
    if submission is None:
        raise Http404("There is no such submission.")
    view = submission_view(submission, reader=request.user)
    if not view.owned:
        return render(request, "leaderboard/submission.html", {"submission": view})
    form = ItemsForm(request.GET, databases=item_databases(submission))
    items = cut(item_rows(submission, form.wanted()), item_view, page=form.page_wanted())
    return render(request, "leaderboard/submission.html", {"submission": view, "form": form, "items": items})


@login_required
@require_safe
def submission_list(request: HttpRequest) -> HttpResponse:
    """The signed-in user's submissions, the newest first."""
    page = cut(submissions_of(member(request)), own_submission, page=page_number(request.GET))
    return render(request, "leaderboard/submissions.html", {"page": page})


@login_required
@require_POST
def submission_cancel_page(request: HttpRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Cancel what has not ended, then show the submission."""
    submission = submission_found(submission_id)
    if submission is None:
        raise Http404("There is no such submission.")
    if not may_read_items(request.user, submission):
        raise PermissionDenied("Only the owner of a submission may cancel it.")
    if submission_cancel(submission):
        messages.success(request, "The submission was cancelled.")
    else:
        messages.warning(request, "There was nothing left to cancel: every run had ended.")
    return redirect("submission", submission_id)
