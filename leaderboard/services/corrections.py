"""Corrections of a release, and the scoring of all its submissions again under the release that corrects it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from benchmark_data.diff import ITEM_FIELDS
from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Bundle
from evaluation.types import Condition
from leaderboard.models.corrections import Correction, ItemCorrection
from leaderboard.models.generations import GenerationState
from leaderboard.models.releases import Release, ReleaseItem
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.queue import RESCORE, publish
from leaderboard.services.measurements import model_carry_over
from leaderboard.services.releases import release_open
from leaderboard.services.runs import run_create

ASKED: Final = ("question", "database")
"""What a model was asked: where it changes, the old predictions answer another question."""

Asked: TypeAlias = Mapping[str, tuple[str, str]]
"""question_id → what `ASKED` names."""

MOST_NAMED: Final = 10
"""Items that a message names of those that it counts."""

COMPARED: Final = tuple(name for name in ITEM_FIELDS if name not in {"db_id", "flags"})
"""Fields of items that the site keeps."""


class NotACorrectionError(BenchmarkError):
    """The new release differs from the old one by more than a correction may."""


@transaction.atomic
def correction_open(
    old: Release, new: Release, *, set_aside: Mapping[str, str], reasons: Mapping[str, str], reason: str
) -> Correction:
    """Let a release go live as the correction of another one, and start to score its submissions again.

    From then on the old release takes no submissions; its board stays as it is.

    Args:
        old: live, and not corrected yet.
        new: its gold was proved.
        set_aside: as for `release_open`.
        reasons: question_id → why that item was changed.
        reason: for changed items that have no reason of their own.

    Raises:
        NotACorrectionError: with every reason why it is none.
    """
    # Both in one order: of two organisers who correct at once, the second sees what the first has done.
    locked = {
        each.pk: each for each in Release.objects.select_for_update().filter(pk__in=(old.pk, new.pk)).order_by("pk")
    }
    old, new = locked[old.pk], locked[new.pk]
    known = Correction.objects.filter(old=old, new=new).first()
    if known is not None:
        return known
    _refuse(correction_faults(old, name=new.name, asked=_asked(new)) + chain_faults(old, new))
    release_open(new, set_aside=set_aside)
    changes = dict(release_changes(old, new))
    if not changes:
        raise NotACorrectionError(f"{new} changes no item of {old}.")
    correction = Correction.objects.create(old=old, new=new, made_at=timezone.now())
    databases = dict(old.items.values_list("question_id", "database__db_id"))
    ItemCorrection.objects.bulk_create(
        ItemCorrection(
            correction=correction,
            question_id=question_id,
            db_id=databases[question_id],
            changes=names,
            reason=(reasons.get(question_id) or reason)[:500],
        )
        for question_id, names in changes.items()
    )
    publish(RESCORE)
    return correction


def bundle_faults(bundle: Bundle, *, corrects: Release) -> list[str]:
    """Why a bundle cannot correct a release, before its gold is proved, which may take an hour; [] if it can."""
    release = Release.objects.filter(name=bundle.name, version=bundle.version).first()
    if release is not None and Correction.objects.filter(old=corrects, new=release).exists():
        return []
    asked = {item.question_id: (item.question, item.db_id) for item in bundle.items}
    faults = correction_faults(corrects, name=bundle.name, asked=asked)
    return faults if release is None else faults + chain_faults(corrects, release)


def correction_faults(old: Release, *, name: str, asked: Asked) -> list[str]:
    """Why a release with some name and questions cannot correct another one, all reasons at once; [] where it can.

    Args:
        old: what is to be corrected.
        name: of the benchmark of the new release.
        asked: question_id → what is asked there.
    """
    faults = []
    if old.live_at is None or old.name != name:
        faults.append(f"{old} is no live release of the same benchmark.")
    known = Correction.objects.filter(old=old).select_related("new").first()
    if known is not None:
        faults.append(f"{old} is corrected by {known.new} already; correct that one.")
    before = _asked(old)
    if added := sorted(asked.keys() - before.keys()):
        faults.append(f"Nobody was asked {len(added)} of the items ({_some(added)}): that is a new release.")
    for place, field in enumerate(ASKED):
        changed = sorted(key for key in asked.keys() & before.keys() if asked[key][place] != before[key][place])
        if changed:
            faults.append(
                f"The {field} of {len(changed)} items ({_some(changed)}) is another, so old predictions do not answer "
                "them: that is a new release."
            )
    return faults


def chain_faults(old: Release, new: Release) -> list[str]:
    """Why a release that is here cannot follow another one: each corrects one, and no chain comes back to itself."""
    known = Correction.objects.filter(new=new).exclude(old=old).select_related("old").first()
    faults = [] if known is None else [f"{new} corrects {known.old} already."]
    later: Release | None = new
    while later is not None and later.pk != old.pk:
        step = Correction.objects.filter(old=later).select_related("new").first()
        later = None if step is None else step.new
    if later is not None:
        faults.append(f"{old} is {new} itself, or a correction of it.")
    return faults


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise NotACorrectionError("\n".join(faults))


def _some(question_ids: Sequence[str]) -> str:
    told = ", ".join(question_ids[:MOST_NAMED])
    return told if len(question_ids) <= MOST_NAMED else f"{told}, …"


def _asked(release: Release) -> Asked:
    rows = release.items.values_list("question_id", "question", "database__db_id")
    return {question_id: (question, db_id) for question_id, question, db_id in rows}


def release_changes(old: Release, new: Release) -> Iterator[tuple[str, list[str]]]:
    """For each item of a release that differs in one that asks the same, its question_id and the names of what does."""
    before, after = _contents(old), _contents(new)
    for question_id, content in before.items():
        found = after.get(question_id)
        names = ["removed"] if found is None else [name for name in content if content[name] != found[name]]
        if names:
            yield question_id, names


def _contents(release: Release) -> dict[str, dict[str, Any]]:
    rows = release.items.order_by("position").values(
        *COMPARED, "question_id", "set_aside", db_id=F("database__db_id"), database_content=F("database__digest")
    )
    return {row.pop("question_id"): {**row, "set_aside": bool(row["set_aside"])} for row in rows}


def rescoring_due(*, limit: int = 50) -> list[Submission]:
    """Submissions to corrected releases that have not been taken over yet, the oldest first.

    Those without a run that is taken over stay where they are; those whose model is still to be asked wait until its
    predictions are stored.
    """
    corrected = list(Correction.objects.values_list("old", flat=True))
    if not corrected:
        return []
    runs = Run.objects.filter(submission=OuterRef("pk"))
    due = Submission.objects.filter(
        Exists(taken_over(runs)),
        ~Exists(runs.filter(AWAITS_MODEL)),
        release__in=corrected,
        rescorings=None,
    )
    return list(due.select_related("release__corrected_by__new").order_by("created_at")[:limit])


AWAITS_MODEL: Final = Q(state=RunState.GENERATING) | (
    Q(state=RunState.INCOMPLETE, generation__isnull=False) & ~Q(generation__state=GenerationState.DONE)
)
"""Runs whose predictions are still to come: a model that did not answer is asked again."""


def taken_over(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those whose predictions are scored again: neither cancelled, nor without predictions of a model that refused."""
    has_predictions = Q(generation=None) | ~Q(generation__prompts_digest="")
    return runs.exclude(state=RunState.CANCELLED).filter(has_predictions)


def submission_rescore(submission: Submission) -> Submission | None:
    """Take a submission over to the release that corrects its own: new runs on its stored predictions.

    The old submission, its runs, scores and standings stay as they are. Returns None where another worker was first.
    """
    correction = submission.release.corrected_by
    try:
        with transaction.atomic():
            made = _copy(submission, correction.new)
            conditions = taken_over(submission.runs.all()).values_list("condition", flat=True)
            _copy_predictions(submission, made, list(conditions))
            for condition in conditions:
                run_create(made, Condition(condition))
            model_carry_over(submission, made)
    except IntegrityError:
        if Submission.objects.filter(rescored_from=submission, release=correction.new).exists():
            return None
        raise
    return made


def _copy(submission: Submission, release: Release) -> Submission:
    return Submission.objects.create(
        owner_id=submission.owner_id,
        team_id=submission.team_id,
        release=release,
        rescored_from=submission,
        entry=submission.entry,
        description=submission.description,
        file_name=submission.file_name,
        file_format=submission.file_format,
        file_sha256=submission.file_sha256,
        file_bytes=submission.file_bytes,
        request_digest=submission.request_digest,
        created_at=submission.created_at,
    )


def _copy_predictions(old: Submission, new: Submission, conditions: list[str]) -> None:
    ids = dict(ReleaseItem.objects.filter(release=new.release).values_list("question_id", "pk"))
    rows = old.predictions.filter(condition__in=conditions).order_by("pk")
    texts = rows.values_list("item__question_id", "condition", "text")
    Prediction.objects.bulk_create(
        (
            Prediction(submission=new, item_id=ids[question_id], condition=condition, text=text)
            for question_id, condition, text in texts.iterator(chunk_size=2000)
            if question_id in ids
        ),
        batch_size=2000,
    )
