"""The REST API's client: what `aptboard submit` and continuous integration use."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from benchmark_data.errors import AptBoardError, Fault, FaultyPredictionsError, InfrastructureError
from evaluation.types import Condition

TIMEOUT: Final = httpx.Timeout(10, read=120, write=120)


class RefusedError(AptBoardError):
    """The site refused the request: wrong address, token, rights or state."""


class SiteUnavailableError(InfrastructureError):
    """The site cannot be reached, or has a fault of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """How far the scoring in one condition is: `done` and `total` count items; `report` is there at the end."""

    condition: str
    state: str
    done: int
    total: int
    reason: str
    report: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionStatus:
    """Where a submission is."""

    id: str
    ended: bool
    page: str
    runs: tuple[RunStatus, ...]


class BoardClient:
    """Speaks to one site on behalf of one token."""

    def __init__(self, *, site: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self._http = httpx.Client(base_url=site.rstrip("/"), headers=headers, timeout=TIMEOUT)

    def submit(
        self,
        path: Path,
        *,
        entry: str,
        description: str = "",
        condition: Condition | None = None,
        release: str = "",
        idempotency_key: str = "",
    ) -> SubmissionStatus:
        """Send a prediction file.

        Raises:
            FaultyPredictionsError: with the faults that the site found.
            RefusedError: the site refused it for another reason.
            SiteUnavailableError: the site is down or has a fault.
        """
        fields = {"entry": entry, "description": description, "condition": condition or "", "release": release}
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        with path.open("rb") as file:
            answer = self._send(
                "POST",
                "/api/v1/submissions",
                data={name: value for name, value in fields.items() if value},
                files={"file": (path.name, file)},
                headers=headers,
            )
        return _status(answer)

    def submit_endpoint(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Name a model endpoint; gives the submission as the API does, as `submission` does later.

        Raises:
            FaultyPredictionsError: with the faults that the site found in the request.
            RefusedError: the site refused it for another reason.
            SiteUnavailableError: the site is down or has a fault.
        """
        return self._send("POST", "/api/v1/endpoint-submissions", json=request)

    def submission(self, submission_id: str) -> dict[str, Any]:
        """A submission as the API gives it.

        Raises:
            RefusedError: it does not exist, or the token is not valid.
            SiteUnavailableError: the site is down or has a fault.
        """
        return self._send("GET", f"/api/v1/submissions/{submission_id}")

    def status(self, submission_id: str) -> SubmissionStatus:
        """Where a submission is now.

        Raises:
            RefusedError: it does not exist, or the token is not valid.
            SiteUnavailableError: the site is down or has a fault.
        """
        return _status(self._send("GET", f"/api/v1/submissions/{submission_id}"))

    def board(self, *, release: str = "") -> Mapping[str, Any]:
        """The board as the API gives it.

        Raises:
            RefusedError: there is no such release.
            SiteUnavailableError: the site is down or has a fault.
        """
        return self._send("GET", "/api/v1/board", params={"release": release} if release else {})

    def _send(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        try:
            response = self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise SiteUnavailableError(f"{self._http.base_url} does not answer: {error}") from error
        if response.status_code >= 500:
            raise SiteUnavailableError(f"{self._http.base_url} has a fault ({response.status_code}); try again later")
        try:
            body = response.json()
        except ValueError as error:
            raise RefusedError(f"{response.url} is not AptBoard's API (status {response.status_code})") from error
        if response.is_error:
            raise _refusal(body)
        return dict(body)


def _refusal(problem: Mapping[str, Any]) -> AptBoardError:
    errors = problem.get("errors") or ()
    if errors:
        faults = tuple(
            Fault(
                file=error.get("file", ""),
                line=error.get("line"),
                field=error.get("field", ""),
                rule=error.get("rule", ""),
                message=error.get("message", ""),
            )
            for error in errors
        )
        return FaultyPredictionsError(faults, total=problem.get("total"))
    return RefusedError(f"{problem.get('title', 'Refused')}: {problem.get('detail', '')}")


def _status(body: Mapping[str, Any]) -> SubmissionStatus:
    runs = tuple(
        RunStatus(
            condition=run["condition"],
            state=run["state"],
            done=run["progress"]["done"],
            total=run["progress"]["total"],
            reason=run.get("reason", ""),
            report=run.get("report"),
        )
        for run in body["runs"]
    )
    ended = all(run.state in END_STATES for run in runs)
    return SubmissionStatus(id=body["id"], ended=ended, page=body["links"]["html"], runs=runs)


END_STATES: Final = frozenset({"finished", "failed", "cancelled", "incomplete"})
