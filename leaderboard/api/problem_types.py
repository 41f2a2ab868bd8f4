"""The kinds of refusal that the API knows: each has a stable address that explains it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class ProblemType(StrEnum):
    """The last part of a problem's `type`, which is `/problems/<this>`; a published one never changes its meaning."""

    MALFORMED_REQUEST = "malformed-request"
    NOT_AUTHENTICATED = "not-authenticated"
    INVALID_TOKEN = "invalid-token"  # noqa: S105 (a name, no secret)
    INSUFFICIENT_SCOPE = "insufficient-scope"
    PERMISSION_DENIED = "permission-denied"
    EMAIL_NOT_VERIFIED = "email-not-verified"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    NOT_ACCEPTABLE = "not-acceptable"
    RELEASE_CLOSED = "release-closed"
    ALREADY_ENDED = "already-ended"
    LENGTH_REQUIRED = "length-required"
    UPLOAD_TOO_LARGE = "upload-too-large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type"
    INVALID_FIELDS = "invalid-fields"
    FAULTY_PREDICTIONS = "faulty-predictions"
    FAULTY_ENDPOINT = "faulty-endpoint"
    IDEMPOTENCY_CONFLICT = "idempotency-conflict"
    QUOTA_EXCEEDED = "quota-exceeded"
    TOO_MANY_REQUESTS = "too-many-requests"
    INTERNAL_ERROR = "internal-error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemKind:
    """What every problem of one type has in common.

    Args:
        status: the HTTP status.
        title: the same words every time.
        cause: when it happens, for the page that explains it.
        remedy: what to do about it.
    """

    status: int
    title: str
    cause: str
    remedy: str


PROBLEM_KINDS: Final[Mapping[ProblemType, ProblemKind]] = MappingProxyType(
    {
        ProblemType.MALFORMED_REQUEST: ProblemKind(
            status=400,
            title="The request cannot be read",
            cause="The body is not what its Content-Type says, for example broken JSON or a broken multipart form, "
            "or a header or query parameter has a form that it cannot have.",
            remedy="Correct the place that the detail names. Nothing was stored.",
        ),
        ProblemType.NOT_AUTHENTICATED: ProblemKind(
            status=401,
            title="Who you are is missing",
            cause="The address needs a signed-in person or a token, and the request has neither.",
            remedy="Send the header “Authorization: Bearer apt_live_…” with a token from the page /tokens/.",
        ),
        ProblemType.INVALID_TOKEN: ProblemKind(
            status=401,
            title="The token is not valid",
            cause="The token is unknown, was revoked, has expired, or is not written as “Bearer apt_live_…”.",
            remedy="Look at its expiry on the page /tokens/, or make a new one there.",
        ),
        ProblemType.INSUFFICIENT_SCOPE: ProblemKind(
            status=403,
            title="The token was made for something else",
            cause="Sending, checking and cancelling submissions needs a token with the scope “submit”; verdicts on "
            "single items and the quota need one with the scope “read”. The detail names the one that is missing.",
            remedy="Make a token with this scope on the page /tokens/; the scopes of one never change.",
        ),
        ProblemType.PERMISSION_DENIED: ProblemKind(
            status=403,
            title="You may not do this",
            cause="The predicted texts and the verdicts on single items belong to the submission's owner and the "
            "owner's team, and only they may cancel it. For requests from a browser session, the CSRF token may be "
            "missing.",
            remedy="Use a token of the submission's owner, or of a member of the team that it was sent for.",
        ),
        ProblemType.EMAIL_NOT_VERIFIED: ProblemKind(
            status=403,
            title="The e-mail address is not verified",
            cause="The token's owner signed up and has no verified e-mail address. Who has none cannot submit, so that "
            "nobody gets more quota by throw-away accounts.",
            remedy="Open the link in the e-mail that was sent at sign-up, or log in on the site to get a new one.",
        ),
        ProblemType.NOT_FOUND: ProblemKind(
            status=404,
            title="There is nothing at this address",
            cause="The address, the submission or the release does not exist, or is not public yet.",
            remedy="Compare the address with the links that the API gave.",
        ),
        ProblemType.METHOD_NOT_ALLOWED: ProblemKind(
            status=405,
            title="This address does not take this method",
            cause="The method of the request is not one that the address knows.",
            remedy="Use one of the methods in the Allow header of the answer.",
        ),
        ProblemType.NOT_ACCEPTABLE: ProblemKind(
            status=406,
            title="The answer cannot be given in this form",
            cause="The Accept header asks for something else than JSON.",
            remedy="Send “Accept: application/json” or leave the header out.",
        ),
        ProblemType.RELEASE_CLOSED: ProblemKind(
            status=409,
            title="The release takes no submissions",
            cause="The release is not live: its gold has not been proved yet. Or a later one corrects it. Or no "
            "release is live at all. Or a model endpoint was named for a release whose databases are not described.",
            remedy="Submit to one of the releases that /api/v1/releases lists and whose `corrected_by` is empty.",
        ),
        ProblemType.ALREADY_ENDED: ProblemKind(
            status=409,
            title="There is nothing left to cancel",
            cause="Every run of the submission has ended already.",
            remedy="Nothing needs to be done. The submission's address shows how the runs ended.",
        ),
        ProblemType.LENGTH_REQUIRED: ProblemKind(
            status=411,
            title="The length of the body is missing",
            cause="The body was sent in chunks without a Content-Length header.",
            remedy="Send the file from disk or memory, so that your HTTP client knows its length.",
        ),
        ProblemType.UPLOAD_TOO_LARGE: ProblemKind(
            status=413,
            title="The upload is larger than the cap",
            cause="The file is larger than one submission may be. The answer names the cap in `cap_bytes`.",
            remedy="Send the texts of the predicted queries only, without prompts, traces or repeated answers.",
        ),
        ProblemType.UNSUPPORTED_MEDIA_TYPE: ProblemKind(
            status=415,
            title="The Content-Type is not supported",
            cause="The body is neither multipart/form-data nor application/json.",
            remedy="With curl, use -F for a file, or -H 'Content-Type: application/json' for a JSON body.",
        ),
        ProblemType.INVALID_FIELDS: ProblemKind(
            status=422,
            title="Some fields are missing or wrong",
            cause="A field of the form or of the JSON body, or a query parameter, is missing or cannot be used.",
            remedy="Each of `errors` names the field and what would be right. Nothing was stored.",
        ),
        ProblemType.FAULTY_PREDICTIONS: ProblemKind(
            status=422,
            title="The prediction file cannot be accepted",
            cause="The file has faults: broken lines, unknown or repeated question ids, a missing condition, bytes "
            "that are not UTF-8, or nothing in it. `errors` lists up to 100 of them with file, line and field, and "
            "`total` counts them all.",
            remedy="Correct the places named. Nothing was stored, and a file can be tried at /api/v1/validate first.",
        ),
        ProblemType.FAULTY_ENDPOINT: ProblemKind(
            status=422,
            title="The model endpoint cannot be asked as it is described",
            cause="Its address is not one of a public server that is called by https, a number is out of its range, a "
            "budget in US dollars comes without prices, or the provider that the model's name begins with is unknown. "
            "`errors` lists every fault with its field. Nobody has been called.",
            remedy="Correct the fields named. Nothing was stored, and no key was kept.",
        ),
        ProblemType.IDEMPOTENCY_CONFLICT: ProblemKind(
            status=422,
            title="The idempotency key was used before with other content",
            cause="A submission with the same Idempotency-Key exists, with another file, endpoint or entry name.",
            remedy="Repeat a request with exactly the same content, and give each new submission a new key.",
        ),
        ProblemType.QUOTA_EXCEEDED: ProblemKind(
            status=429,
            title="The quota of submissions is used up",
            cause="You, or your team, have sent as many submissions to this benchmark as one rolling window allows. "
            "Checks of a file, faulty files, submissions cancelled before their start and faults of ours do not count.",
            remedy="Send it again from the time in `reset_at` on; the Retry-After header says the same in seconds. "
            "The pages /quota/ and /api/v1/quota show what is left.",
        ),
        ProblemType.TOO_MANY_REQUESTS: ProblemKind(
            status=429,
            title="Too many requests",
            cause="More requests came in than one client may send in this time.",
            remedy="Wait for as many seconds as the Retry-After header says.",
        ),
        ProblemType.INTERNAL_ERROR: ProblemKind(
            status=500,
            title="Something went wrong on our side",
            cause="A fault in the site. It is logged with the request's id.",
            remedy="Try again. If it happens again, tell us the `request_id`.",
        ),
    }
)
