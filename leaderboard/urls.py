"""Every address of the site, and who answers when something goes wrong."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# The admin has no login of its own, which would know no second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("api/", include("leaderboard.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("leaderboard.web.account_urls")),
    path("", include("leaderboard.web.urls")),
]

handler400 = "leaderboard.web.errors.bad_request"
handler403 = "leaderboard.web.errors.refused"
handler404 = "leaderboard.web.errors.not_found"
handler500 = "leaderboard.web.errors.fault"
