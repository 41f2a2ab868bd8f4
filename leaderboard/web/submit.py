"""The form that takes predictions in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from benchmark_data.errors import FaultyPredictionsError, SubmissionError
from evaluation.types import Condition
from leaderboard.api.quota import retry_seconds
from leaderboard.models.submissions import Submission
from leaderboard.services.accounts import EmailNotVerifiedError
from leaderboard.services.quota import QuotaExceededError
from leaderboard.services.submissions import submission_create
from leaderboard.web.forms import SubmissionForm
from leaderboard.web.members import member


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest) -> HttpResponse:
    """Take a prediction file, or show the form again with every fault of the file."""
    form = SubmissionForm(request.POST, request.FILES) if request.method == "POST" else SubmissionForm()
    if not form.is_valid():
        return render(request, "leaderboard/submit.html", {"form": form}, status=422 if form.is_bound else 200)
    try:
        submission = _create(request, form)
    except FaultyPredictionsError as error:
        return render(request, "leaderboard/submit.html", {"form": form, "faults": error}, status=422)
    except QuotaExceededError as error:
        form.add_error(None, str(error))
        answer = render(request, "leaderboard/submit.html", {"form": form}, status=429)
        answer.headers["Retry-After"] = str(retry_seconds(error.state))
        return answer
    except EmailNotVerifiedError as error:
        form.add_error(None, str(error))
        return render(request, "leaderboard/submit.html", {"form": form}, status=403)
    except SubmissionError as error:
        form.add_error(None, str(error))
        return render(request, "leaderboard/submit.html", {"form": form}, status=422)
    messages.success(request, "Your predictions were taken in. Their scoring has been queued.")
    return redirect("submission", submission.pk)


def _create(request: HttpRequest, form: SubmissionForm) -> Submission:
    fields = form.cleaned_data
    return submission_create(
        owner=member(request),
        release=fields["release"],
        entry=fields["entry"],
        description=fields["description"],
        file=fields["file"],
        file_name=fields["file"].name,
        default_condition=Condition(fields["condition"]) if fields["condition"] else None,
    )
