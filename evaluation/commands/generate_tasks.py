"""What `aptboard generate` has to ask: the items of a bundle that have no final reply yet."""

from dataclasses import dataclass

from benchmark_data.types import Bundle
from evaluation.generation.journal import Journal
from evaluation.generation.types import Reason, Reply, Task, unasked
from evaluation.prompts.bundles import bundle_writers
from evaluation.prompts.templates import Template
from evaluation.prompts.types import question_of
from evaluation.types import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked: the items of a bundle in some conditions, worded by a template, in prompts of `room` tokens."""

    bundle: Bundle
    template: Template
    room: int | None
    conditions: tuple[Condition, ...]

    @property
    def total(self) -> int:
        """Items times conditions."""
        return len(self.bundle.items) * len(self.conditions)


def planned(plan: Plan, journal: Journal) -> tuple[list[Task], list[Reply]]:
    """The tasks that are left, condition by condition in the order of the bundle's items.

    Items of a database whose description does not fit are not asked; their replies, which say so, come beside.

    Raises:
        PromptTooLargeError: no database fits.
        FaultyBundleError: documents or cards cannot be read.
    """
    written = bundle_writers(plan.bundle, template=plan.template, room=plan.room)
    if not written.writers:
        raise next(iter(written.too_large.values()))
    tasks, unaskable = [], []
    for condition in plan.conditions:
        for item in plan.bundle.items:
            earlier = journal.unfinished(condition, item.question_id)
            if earlier is None:
                continue
            if item.db_id in written.too_large:
                message = str(written.too_large[item.db_id])
                unaskable.append(unasked(item.question_id, condition, Reason.PROMPT_TOO_LARGE, message))
            else:
                prompt = written.writers[item.db_id].prompt(question_of(item), condition)
                tasks.append(Task(question_id=item.question_id, condition=condition, prompt=prompt, earlier=earlier))
    return tasks, unaskable
