"""Taking in a submission: all of it, or nothing and the reasons."""

import hashlib
import json
from collections.abc import Callable
from typing import BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from benchmark_data.errors import SubmissionError
from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionLimits, PredictionSet
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.selectors.releases import corrected_label
from leaderboard.services.accounts import email_require_verified
from leaderboard.services.quota import QuotaExceededError, quota_charge, quota_check, quota_reserve
from leaderboard.services.runs import run_create


class IdempotencyConflictError(SubmissionError):
    """The idempotency key was used before, with other content."""


class ReleaseClosedError(SubmissionError):
    """The release takes no submissions."""


def submission_create(
    *,
    owner: User,
    release: Release,
    entry: str,
    file: BinaryIO,
    file_name: str,
    description: str = "",
    default_condition: Condition | None = None,
    idempotency_key: str = "",
) -> Submission:
    """Check a prediction file and queue its runs, one for each condition in it.

    Args:
        owner: who submits.
        release: what is submitted to.
        entry: the name on the board.
        file: seekable; every format of `evaluation.predictions`.
        file_name: as its sender knows it, for messages.
        description: one line about the entry.
        default_condition: condition of records that name none.
        idempotency_key: the same key with the same request gives the first submission again.

    Raises:
        FaultyPredictionsError: with every fault of the file; nothing is stored.
        EmailNotVerifiedError: the owner's e-mail address is not verified.
        IdempotencyConflictError: the key was used with another request.
        ReleaseClosedError: the release is not live, or was corrected by a later one.
        QuotaExceededError: as much as may be sent was sent; a repeated or faulty request costs nothing.
    """
    email_require_verified(owner)
    draft = Submission(
        owner=owner,
        release=release,
        entry=entry,
        description=description,
        idempotency_key=idempotency_key,
    )
    draft.request_digest = request_digest(draft, file_sha256=_sha256(file), condition=default_condition or "")

    def store() -> Submission:
        submission_require_room(draft)
        predictions = predictions_check(release, file, file_name=file_name, default_condition=default_condition)
        draft.file_name, draft.file_format = file_name[:255], predictions.format
        draft.file_sha256, draft.file_bytes = predictions.sha256, predictions.size
        return _store(draft, predictions)

    return submission_once(draft, store)


def submission_once(draft: Submission, store: Callable[[], Submission]) -> Submission:
    """The submission that came with the draft's idempotency key before, or else what `store` makes of the draft.

    Raises:
        IdempotencyConflictError: the key was used with another request.
    """
    if (repeated := _repeated(draft)) is not None:
        return repeated
    try:
        return store()
    except (IntegrityError, QuotaExceededError):
        # Two clients raced with one key, and the other one may have taken the last place of the quota: its submission
        # is this one's answer.
        if (repeated := _repeated(draft)) is None:
            raise
        return repeated


def submission_of_key(owner: User, key: str) -> Submission | None:
    """The submission that came with an idempotency key; None where none did, or there is no key."""
    return (
        Submission.objects.filter(owner=owner, idempotency_key=key).select_related("release").first() if key else None
    )


def _repeated(draft: Submission) -> Submission | None:
    known = submission_of_key(draft.owner, draft.idempotency_key)
    if known is not None and known.request_digest != draft.request_digest:
        raise IdempotencyConflictError("This Idempotency-Key was used before with another request.")
    return known


def submission_require_room(draft: Submission) -> None:
    """Refuse early, before a file is read or a request is looked at.

    Raises:
        ReleaseClosedError: the release is not live, or was corrected by a later one.
        QuotaExceededError: as much as may be sent was sent.
    """
    release_require_open(draft.release)
    quota_check(draft.owner, draft.release.name)


def predictions_check(
    release: Release, file: BinaryIO, *, file_name: str, default_condition: Condition | None = None
) -> PredictionSet:
    """Read a prediction file as `submission_create` does, and store nothing.

    Raises:
        FaultyPredictionsError: with every fault of the file.
    """
    return read_predictions(
        file,
        name=file_name,
        items=dict(release.items.values_list("question_id", "database__db_id")),
        default_condition=default_condition,
        limits=PredictionLimits(file_bytes=settings.SUBMISSION_BYTES),
    )


def request_digest(draft: Submission, *, file_sha256: str, condition: str) -> str:
    """One digest over all that makes two requests the same."""
    content = json.dumps([file_sha256, draft.entry, draft.description, draft.release.digest, condition])
    return hashlib.sha256(content.encode()).hexdigest()


def release_require_open(release: Release) -> None:
    """Refuse where a release takes no submissions.

    Raises:
        ReleaseClosedError: it is not live, or was corrected by a later one.
    """
    if release.live_at is None:
        raise ReleaseClosedError(f"{release} is not live: its gold has not been proved yet.")
    if (corrected_by := corrected_label(release)) is not None:
        raise ReleaseClosedError(f"{release} was corrected: submit to {corrected_by}.")


def _sha256(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while block := file.read(1 << 20):
        digest.update(block)
    file.seek(0)
    return digest.hexdigest()


@transaction.atomic
def _store(submission: Submission, predictions: PredictionSet) -> Submission:
    account = quota_reserve(submission.release.name, user=submission.owner)
    submission.team = account.team
    submission.save(force_insert=True)
    quota_charge(account, submission)
    ids = dict(submission.release.items.values_list("question_id", "pk"))
    Prediction.objects.bulk_create(
        (
            Prediction(submission=submission, item_id=ids[question_id], condition=condition, text=text)
            for condition, texts in predictions.texts.items()
            for question_id, text in texts.items()
        ),
        batch_size=2000,
    )
    for condition in predictions.conditions:
        run_create(submission, condition)
    return submission
