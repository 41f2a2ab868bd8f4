"""The page of a user's notices, and the choice of which of them come by e-mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard.models.notices import MailChoice
from leaderboard.selectors.notices import mail_address, mail_choice, notice_rows, notice_view
from leaderboard.selectors.pages import cut
from leaderboard.services.notices import notice_preference_set, notices_read
from leaderboard.web.forms import MailForm, page_number
from leaderboard.web.members import member


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notice_list(request: HttpRequest) -> HttpResponse:
    """The user's notices, the newest first; a POST keeps the choice about e-mails."""
    user = member(request)
    form = MailForm(request.POST if request.method == "POST" else None, initial={"mail": mail_choice(user)})
    if form.is_bound and form.is_valid():
        notice_preference_set(user, MailChoice(form.cleaned_data["mail"]))
        messages.success(request, "Your choice is kept.")
        return redirect("notices")
    page = cut(notice_rows(user), notice_view, page=page_number(request.GET))
    context = {"page": page, "form": form, "address": mail_address(user)}
    return render(request, "leaderboard/notices.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def notices_read_page(request: HttpRequest) -> HttpResponse:
    """Mark all notices as read."""
    notices_read(member(request))
    return redirect("notices")
