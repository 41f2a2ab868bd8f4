"""The page that ties an account together, the file with one's own data, and the end of an account."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from leaderboard.selectors.accounts import account_view
from leaderboard.selectors.export import account_export
from leaderboard.selectors.notices import mail_choice
from leaderboard.selectors.teams import membership_of
from leaderboard.services.account_deletion import AccountKeptError, account_delete
from leaderboard.web.forms import DeleteAccountForm
from leaderboard.web.members import member


@login_required
@never_cache
@require_safe
def account_page(request: HttpRequest) -> HttpResponse:
    """What belongs to an account, each with the page where it is changed."""
    user = member(request)
    context = {"account": account_view(user), "membership": membership_of(user), "mail": mail_choice(user)}
    return render(request, "leaderboard/account.html", context)


@login_required
@never_cache
@require_safe
def account_export_file(request: HttpRequest) -> StreamingHttpResponse:
    """One's own data as a JSON file."""
    return StreamingHttpResponse(
        account_export(member(request)),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="aptboard-account.json"'},
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(app="allauth.account")  # type: ignore[untyped-decorator]  # allauth has no types
def account_delete_page(request: HttpRequest) -> HttpResponse:
    """Delete the account of who typed its name; the password was asked for just before."""
    user = member(request)
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, username=user.username)
    if form.is_bound and form.is_valid():
        try:
            account_delete(user)
        except AccountKeptError as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, "Your account and your personal data were deleted.")
            return redirect("board")
    context = {"form": form, "membership": membership_of(user), "entries": user.submissions.count()}
    return render(request, "leaderboard/account_delete.html", context, status=422 if form.errors else 200)
