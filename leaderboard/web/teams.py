"""The pages of a user's team: making one, inviting, joining, leaving."""

import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchmark_data.errors import SubmissionError
from leaderboard.models.teams import Membership, Team, TeamInvitation, TeamRole
from leaderboard.selectors.quota import quota_states
from leaderboard.selectors.teams import (
    invitation_view,
    invitations_for,
    invitations_of_team,
    members_of,
    membership_of,
)
from leaderboard.services.invitations import (
    InvitationOverError,
    NotInvitedError,
    invitation_accept,
    invitation_create,
    invitation_decline,
    invitation_mail,
    invitation_require,
    invitation_withdraw,
)
from leaderboard.services.teams import (
    TeamConflictError,
    member_remove,
    member_role_set,
    team_create,
    team_leave,
)
from leaderboard.web.forms import InvitationForm, TeamForm
from leaderboard.web.members import member

REFUSED: Final = (TeamConflictError, SubmissionError)
"""Refusals of a change, whose sentence is for who asked for it."""

MEMBER_CHANGES: Final[Mapping[str, tuple[Callable[[User, int], str], str]]] = MappingProxyType(
    {
        "remove": (member_remove, "{} is no longer in the team."),
        "owner": (lambda owner, key: member_role_set(owner, key, TeamRole.OWNER), "{} is an owner now."),
        "member": (lambda owner, key: member_role_set(owner, key, TeamRole.MEMBER), "{} is no owner any more."),
    }
)
ANSWERS: Final[Mapping[str, tuple[Callable[[User, uuid.UUID], Team], str]]] = MappingProxyType(
    {
        "accept": (invitation_accept, "You are in the team {} now."),
        "decline": (invitation_decline, "You declined the invitation to the team {}."),
        "withdraw": (invitation_withdraw, "The invitation to the team {} was withdrawn."),
    }
)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_page(request: HttpRequest) -> HttpResponse:
    """The user's team; without one, the invitations to others and a form for a new one, which a POST makes."""
    user = member(request)
    form = TeamForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            team = team_create(user, name=form.cleaned_data["name"])
        except REFUSED as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, f"The team {team} was made, and you are its owner.")
            return redirect("teams")
    return _team_page(request, user, {"form": form}, status=422 if form.errors else 200)


@login_required
@never_cache
@require_POST
def team_invite_page(request: HttpRequest) -> HttpResponse:
    """Invite somebody to the user's team; the link is in the answer."""
    user = member(request)
    form = InvitationForm(request.POST)
    context: dict[str, object] = {"invitation_form": form}
    if form.is_valid():
        try:
            invitation = invitation_create(user, username=form.username, email=form.email)
        except REFUSED as error:
            form.add_error("whom", str(error))
        else:
            mailed = not invitation.email or invitation_mail(invitation)
            told = {"invited": invitation_view(invitation), "mailed": mailed, "invitation_form": InvitationForm()}
            return _team_page(request, user, told, status=201)
    return _team_page(request, user, context, status=422)


@login_required
@require_POST
def team_leave_page(request: HttpRequest) -> HttpResponse:
    """Leave the user's team."""
    return _changed(request, lambda: f"You have left the team {team_leave(member(request))}.")


@login_required
@require_POST
def team_member_page(request: HttpRequest, user_id: int, action: str) -> HttpResponse:
    """Remove a member of the user's team, or let one be an owner or no more."""
    if action not in MEMBER_CHANGES:
        raise Http404("There is no such action.")
    change, told = MEMBER_CHANGES[action]
    return _changed(request, lambda: told.format(change(member(request), user_id)))


@login_required
@never_cache
@require_safe
def team_invitation_page(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """The page behind an invitation's link: what joining means, and both answers."""
    invitation = TeamInvitation.objects.select_related("team", "invited_by", "user").filter(pk=invitation_id).first()
    if invitation is None:
        raise Http404("There is no such invitation.")
    user = member(request)
    try:
        invitation_require(user, invitation)
    except TeamConflictError as error:
        status = 410 if isinstance(error, InvitationOverError) else 403
        return render(request, "leaderboard/team_invitation.html", {"refusal": str(error)}, status=status)
    context = {"invitation": invitation_view(invitation), "membership": membership_of(user)}
    return render(request, "leaderboard/team_invitation.html", context)


@login_required
@require_POST
def team_answer_page(request: HttpRequest, invitation_id: uuid.UUID, action: str) -> HttpResponse:
    """Accept, decline or withdraw an invitation."""
    if action not in ANSWERS:
        raise Http404("There is no such action.")
    answer, told = ANSWERS[action]
    return _changed(request, lambda: told.format(answer(member(request), invitation_id)))


def _changed(request: HttpRequest, change: Callable[[], str]) -> HttpResponse:
    """Change something, and say on the page of teams how that went."""
    try:
        messages.success(request, change())
    except NotInvitedError as error:
        return render(request, "leaderboard/team_invitation.html", {"refusal": str(error)}, status=403)
    except REFUSED as error:
        messages.error(request, str(error))
    return redirect("teams")


def _team_page(request: HttpRequest, user: User, context: dict[str, object], *, status: int) -> HttpResponse:
    membership = membership_of(user)
    about = _about_team(user, membership) if membership else {"invitations": invitations_for(user)}
    forms = {"form": TeamForm(), "invitation_form": InvitationForm()}
    common = {"membership": membership, "states": quota_states(user)}
    return render(request, "leaderboard/teams.html", {**forms, **common, **about, **context}, status=status)


def _about_team(user: User, membership: Membership) -> dict[str, object]:
    owned = membership.role == TeamRole.OWNER
    return {
        "members": members_of(membership.team, reader=user),
        "owned": owned,
        "waiting": invitations_of_team(membership.team) if owned else (),
    }
