"""Addresses of the pages."""

from django.urls import path

from leaderboard.web.board import board_page
from leaderboard.web.compare import compare_page
from leaderboard.web.endpoints import submit_endpoint_page
from leaderboard.web.exports import board_csv, board_json
from leaderboard.web.notices import notice_list, notices_read_page
from leaderboard.web.problems import problem_list, problem_page
from leaderboard.web.quota import quota_page
from leaderboard.web.release_items import release_item_list_page, release_item_page
from leaderboard.web.releases import release_detail_page, release_list_page
from leaderboard.web.status import healthz, status_page
from leaderboard.web.submissions import (
    submission_cancel_page,
    submission_events,
    submission_list,
    submission_live,
    submission_page,
)
from leaderboard.web.submit import submit_page
from leaderboard.web.teams import (
    team_answer_page,
    team_invitation_page,
    team_invite_page,
    team_leave_page,
    team_member_page,
    team_page,
)
from leaderboard.web.tokens import token_list, token_revoke_page
from leaderboard.web.webhooks import (
    delivery_repeat_page,
    webhook_change,
    webhook_list,
    webhook_page,
)

urlpatterns = [
    path("", board_page, name="board"),
    path("board.csv", board_csv, name="board_csv"),
    path("board.json", board_json, name="board_json"),
    path("submit/", submit_page, name="submit"),
    path("submit/endpoint/", submit_endpoint_page, name="submit_endpoint"),
    path("submissions/", submission_list, name="submissions"),
    path("submissions/<uuid:submission_id>/", submission_page, name="submission"),
    path("submissions/<uuid:submission_id>/live/", submission_live, name="submission_live"),
    path("submissions/<uuid:submission_id>/events/", submission_events, name="submission_events"),
    path("submissions/<uuid:submission_id>/cancel/", submission_cancel_page, name="submission_cancel"),
    path("tokens/", token_list, name="tokens"),
    path("tokens/<int:token_id>/revoke/", token_revoke_page, name="token_revoke"),
    path("quota/", quota_page, name="quota"),
    path("notices/", notice_list, name="notices"),
    path("notices/read/", notices_read_page, name="notices_read"),
    path("webhooks/", webhook_list, name="webhooks"),
    path("webhooks/<uuid:webhook_id>/", webhook_page, name="webhook"),
    path("webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/", delivery_repeat_page, name="webhook_delivery"),
    path("webhooks/<uuid:webhook_id>/<slug:action>/", webhook_change, name="webhook_change"),
    path("compare/", compare_page, name="compare"),
    path("releases/", release_list_page, name="releases"),
    path("releases/<slug:name>@<path:version>/items/", release_item_list_page, name="release_items"),
    path("releases/<slug:name>@<path:version>/items/<path:question_id>/", release_item_page, name="release_item"),
    path("releases/<slug:name>@<path:version>/", release_detail_page, name="release"),
    path("problems/", problem_list, name="problems"),
    path("problems/<slug:kind>", problem_page, name="problem"),
    path("status/", status_page, name="status"),
    path("healthz", healthz, name="healthz"),
    path("teams/", team_page, name="teams"),
    path("teams/invite/", team_invite_page, name="team_invite"),
    path("teams/leave/", team_leave_page, name="team_leave"),
    path("teams/members/<int:user_id>/<slug:action>/", team_member_page, name="team_member"),
    path("teams/invitations/<uuid:invitation_id>/", team_invitation_page, name="team_invitation"),
    path("teams/invitations/<uuid:invitation_id>/<slug:action>/", team_answer_page, name="team_answer"),
]
