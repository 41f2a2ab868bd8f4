"""Asks a run's model from within a worker: its prompts, its key for as long as it takes, its lease, its replies."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import httpx
from django.db import DatabaseError, connection

from evaluation.generation.budget import Budget, Prices
from evaluation.generation.generate import generate
from evaluation.generation.limits import GenerationLimits
from evaluation.generation.trial import query_error
from evaluation.generation.types import Check, GenerationReport, Reason, Reply, Task, unasked
from evaluation.llm import Endpoint, ModelClient, Sampling
from evaluation.llm_pinned import pinned_transport
from evaluation.prompts.templates import TEMPLATES
from evaluation.prompts.types import Prompt, prompts_digest
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.runs import Run
from leaderboard.selectors.descriptions import release_questions, release_writers
from leaderboard.selectors.generations import run_replies, submission_usage, trial_places
from leaderboard.services.endpoints import call_policy
from leaderboard.services.generations import GenerationLease, generation_extend, replies_store
from leaderboard.services.secrets import decrypted
from workers.replies import ReplyWriter
from workers.scoring import executor

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
"""Between two looks at whether the run was cancelled; a call under way is let go of then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How the asking ended, and the digest over all prompts of the run."""

    report: GenerationReport
    prompts_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is left to ask, the replies to what cannot be asked, and the digest over all prompts of the run."""

    tasks: list[Task]
    unaskable: list[Reply]
    prompts_digest: str


@dataclass(slots=True)
class Asking:
    """One turn of asking for one run.

    Args:
        lease: of its generation.
        turn_seconds: after this time no further call is begun.
        withhold: called with the lent key as soon as it is read, so that nothing shows it from then on.
    """

    lease: GenerationLease
    turn_seconds: float
    withhold: Callable[[str], None]
    run_row: Run = field(init=False)
    endpoint: ModelEndpoint = field(init=False)
    lost: threading.Event = field(default_factory=threading.Event)
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        runs = Run.objects.select_related("submission__release", "submission__endpoint")
        self.run_row = runs.get(pk=self.lease.run_id)
        self.endpoint = self.run_row.submission.endpoint

    def run(self) -> Asked:
        """Ask for everything that is missing, for as long as a turn lasts.

        Raises:
            SubmissionError: the endpoint must not or cannot be called as it was described.
            InfrastructureError: its name cannot be resolved, or a server of ours failed.
            GenerationLostError: another worker has the generation.
        """
        key = decrypted(bytes(self.endpoint.key)) if self.endpoint.key else ""
        self.withhold(key)
        with self._kept_alive(), ThreadPoolExecutor(max_workers=1) as thread:
            try:
                plan = self._plan()
                client = self._client(key)
                budget = self._budget(client.prices)
                report = asyncio.run(self._ask(client, plan, budget=budget, check=self._check(), thread=thread))
            finally:
                thread.submit(_close_connection).result()
        return Asked(report=report, prompts_digest=plan.prompts_digest)

    async def _ask(
        self, client: ModelClient, plan: Plan, *, budget: Budget, check: Check | None, thread: ThreadPoolExecutor
    ) -> GenerationReport:
        writer = ReplyWriter(write=lambda replies: replies_store(self.lease, replies), thread=thread)
        for reply in plan.unaskable:
            await writer.store(reply)
        async with client:
            return await generate(
                plan.tasks,
                ask=client.ask,
                store=writer.store,
                limits=self._limits(),
                budget=budget,
                session=str(self.run_row.submission_id),
                stopped=self.lost.is_set,
                paused=lambda: time.monotonic() - self.begun > self.turn_seconds,
                check=check,
            )

    def _plan(self) -> Plan:
        condition = Condition(self.run_row.condition)
        release, endpoint = self.run_row.submission.release, self.endpoint
        questions = release_questions(release)
        room = None if endpoint.context_tokens is None else endpoint.context_tokens - endpoint.most_completion_tokens
        written = release_writers(release, questions, template=TEMPLATES[endpoint.template], room=room)
        known = run_replies(self.run_row.pk, condition)
        tasks, unaskable, digests = [], [], []
        for question_id, question in questions.items():
            earlier = known.get(question_id, ())
            if question.db_id in written.too_large:
                message = str(written.too_large[question.db_id])
                if not earlier:
                    unaskable.append(unasked(question_id, condition, Reason.PROMPT_TOO_LARGE, message))
                continue
            prompt: Prompt = written.writers[question.db_id].prompt(question, condition)
            digests.append((question_id, prompt.digest))
            if not earlier or not earlier[-1].is_final:
                tasks.append(Task(question_id=question_id, condition=condition, prompt=prompt, earlier=earlier))
        return Plan(tasks=tasks, unaskable=unaskable, prompts_digest=prompts_digest(digests))

    def _client(self, key: str) -> ModelClient:
        endpoint = self.endpoint
        transport: httpx.AsyncBaseTransport | None = None
        if endpoint.address:
            transport = pinned_transport(endpoint.address, policy=call_policy(), connections=endpoint.concurrency)
        return ModelClient(
            Endpoint(model=endpoint.model, address=endpoint.address, key=key, prices=self._stated_prices()),
            Sampling(
                temperature=endpoint.temperature,
                seed=endpoint.seed,
                most_completion_tokens=endpoint.most_completion_tokens,
                reasoning_effort=endpoint.reasoning_effort or None,
            ),
            transport=transport,
        )

    def _stated_prices(self) -> Prices | None:
        prompt, completion = self.endpoint.price_prompt, self.endpoint.price_completion
        return None if prompt is None or completion is None else Prices(prompt=prompt, completion=completion)

    def _limits(self) -> GenerationLimits:
        return GenerationLimits(
            concurrency=self.endpoint.concurrency,
            per_minute=self.endpoint.per_minute,
            most_completion_tokens=self.endpoint.most_completion_tokens,
            repairs=self.endpoint.repairs,
        )

    def _budget(self, prices: Prices | None) -> Budget:
        return Budget(
            money=self.endpoint.budget_usd,
            tokens=self.endpoint.budget_tokens,
            prices=prices,
            spent=submission_usage(self.run_row.submission_id),
        )

    def _check(self) -> Check | None:
        """Tries a reply's query where the model may repair it."""
        if not self.endpoint.repairs:
            return None
        places, engine = trial_places(self.run_row.submission.release), executor()

        async def check(task: Task, text: str) -> str | None:
            place = places[task.question_id]
            return await asyncio.to_thread(
                query_error,
                text,
                db_id=place.db_id,
                collections=place.collections,
                storage_name=place.storage_name,
                executor=engine,
            )

        return check

    @contextlib.contextmanager
    def _kept_alive(self) -> Iterator[None]:
        """Extend the lease in the background while the body runs; `lost` is set once it is ours no more."""
        done = threading.Event()
        thread = threading.Thread(target=self._beat, args=(done,), name=f"generation-{self.lease.token}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _beat(self, done: threading.Event) -> None:
        try:
            while not done.wait(LOOK_SECONDS):
                try:
                    if not generation_extend(self.lease):
                        self.lost.set()
                        return
                except DatabaseError as error:
                    logger.warning("run %s: lease cannot be kept at the moment: %s", self.lease.run_id, error)
                    connection.close()
        finally:
            connection.close()


def _close_connection() -> None:
    """Close the connection of the thread that this is called in."""
    connection.close()
