"""The page of API tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard.selectors.tokens import token_owned, tokens_of
from leaderboard.services.tokens import token_create, token_revoke
from leaderboard.web.forms import TokenForm
from leaderboard.web.members import member


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    """The user's tokens, and a form for a new one, whose secret is shown in the answer and never again."""
    owner = member(request)
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret, status = "", 200
    if form.is_bound and form.is_valid():
        _, secret = token_create(owner, **form.cleaned_data)
        form, status = TokenForm(), 201
    context = {"tokens": tokens_of(owner), "form": form, "secret": secret}
    return render(request, "leaderboard/tokens.html", context, status=422 if form.errors else status)


@login_required
@require_POST
def token_revoke_page(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token at once."""
    token = token_owned(member(request), token_id)
    if token is None:
        raise Http404("You have no such token.")
    token_revoke(token)
    messages.success(request, f"The token {token.prefix}… ({token.name}) was revoked.")
    return redirect("tokens")
