"""Taking in a submission: all of it, or nothing and the reasons."""

import hashlib
import json
from datetime import timedelta
from typing import BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionLimits, PredictionSet
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, Run
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.queue import SCORE_BATCH, publish


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
        ReleaseClosedError: the release is not live.
    """
    if release.live_at is None:
        raise ReleaseClosedError(f"{release} is not live: its gold has not been proved yet.")
    digest = request_digest(
        file_sha256=_sha256(file),
        entry=entry,
        description=description,
        release=release,
        condition=default_condition or "",
    )
    repeated = _repeated(owner, idempotency_key, digest)
    if repeated is not None:
        return repeated
    predictions = predictions_check(release, file, file_name=file_name, default_condition=default_condition)
    try:
        return _store(
            Submission(
                owner=owner,
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
        repeated = _repeated(owner, idempotency_key, digest)
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


def _repeated(owner: User, key: str, digest: str) -> Submission | None:
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
    submission.save(force_insert=True)
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


def run_create(submission: Submission, condition: Condition) -> Run:
    """Queue the scoring of one condition and wake the workers."""
    run = Run.objects.create(
        submission=submission,
        condition=condition,
        deadline=timezone.now() + timedelta(seconds=settings.RUN_DEADLINE_SECONDS),
    )
    databases = submission.release.databases.filter(items__isnull=False).distinct()
    batches = Batch.objects.bulk_create(Batch(run=run, database=database) for database in databases)
    publish(SCORE_BATCH, run.pk, times=len(batches))
    return run
