"""Taking in a submission: all of it, or nothing and the reasons."""

import hashlib
import json
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
from leaderboard.selectors.teams import team_of
from leaderboard.services.quota import quota_charge, quota_check, quota_reserve
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
        IdempotencyConflictError: the key was used with another request.
        ReleaseClosedError: the release is not live, or was corrected by a later one.
        QuotaExceededError: as much as may be sent was sent; a repeated or faulty request costs nothing.
    """
    release_require_open(release)
    digest = request_digest(
        file_sha256=_sha256(file),
        entry=entry,
        description=description,
        release=release,
        condition=default_condition or "",
    )
    repeated = submission_repeated(owner, idempotency_key, digest)
    if repeated is not None:
        return repeated
    quota_check(owner, release.name)
    predictions = predictions_check(release, file, file_name=file_name, default_condition=default_condition)
    try:
        return _store(
            Submission(
                owner=owner,
                team=team_of(owner),
                release=release,
                entry=entry,
                description=description,
                file_name=file_name[:255],
                file_format=predictions.format,
                file_sha256=predictions.sha256,
                file_bytes=predictions.size,
                idempotency_key=idempotency_key,
                request_digest=digest,
            ),
            predictions,
        )
    except IntegrityError:
        # Two clients raced with one key: the other one's submission is this one's answer.
        repeated = submission_repeated(owner, idempotency_key, digest)
        if repeated is None:
            raise
        return repeated


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


def request_digest(*, file_sha256: str, entry: str, description: str, release: Release, condition: str) -> str:
    """One digest over all that makes two requests the same."""
    content = json.dumps([file_sha256, entry, description, release.digest, condition])
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


def submission_repeated(owner: User, key: str, digest: str) -> Submission | None:
    """The submission that came with the same idempotency key and the same request; None for a new one.

    Raises:
        IdempotencyConflictError: the key was used with another request.
    """
    known = Submission.objects.filter(owner=owner, idempotency_key=key).first() if key else None
    if known is not None and known.request_digest != digest:
        raise IdempotencyConflictError("This Idempotency-Key was used before with another request.")
    return known


def _sha256(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while block := file.read(1 << 20):
        digest.update(block)
    file.seek(0)
    return digest.hexdigest()


@transaction.atomic
def _store(submission: Submission, predictions: PredictionSet) -> Submission:
    account = quota_reserve(submission.release.name, team=submission.team, user=submission.owner)
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
