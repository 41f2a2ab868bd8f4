"""The form that names a model endpoint to be asked and scored."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from benchmark_data.errors import SubmissionError
from leaderboard.models.submissions import Submission
from leaderboard.services.endpoints import endpoint_submission_create
from leaderboard.web.endpoint_form import EndpointForm, endpoint_request
from leaderboard.web.members import member

TEMPLATE = "leaderboard/submit_endpoint.html"


@sensitive_post_parameters("key")
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_endpoint_page(request: HttpRequest) -> HttpResponse:
    """Take a model endpoint, or show the form again with every fault at its field."""
    form = EndpointForm(request.POST) if request.method == "POST" else EndpointForm()
    if not form.is_valid():
        return render(request, TEMPLATE, {"form": form}, status=422 if form.is_bound else 200)
    try:
        submission = _create(request, form)
    except SubmissionError as error:
        form.add_error(None, str(error))
        return render(request, TEMPLATE, {"form": form}, status=422)
    messages.success(request, "Your model was taken in. It will be asked for every item, then scored.")
    return redirect("submission", submission.pk)


def _create(request: HttpRequest, form: EndpointForm) -> Submission:
    fields = form.cleaned_data
    return endpoint_submission_create(
        owner=member(request),
        release=fields["release"],
        entry=fields["entry"],
        description=fields["description"],
        request=endpoint_request(fields),
    )
