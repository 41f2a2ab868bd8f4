"""A worker's own thread: says that it is alive, sweeps where nobody else does, and ends a worker that has gone deaf.

A worker has been seen to take no more messages after its broker came back, for ever and without a word
(github.com/celery/celery, issues 8030, 10205 and 10302): it ends itself then, and whoever keeps it starts it anew.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

from celery.signals import worker_ready, worker_shutting_down
from celery.worker import state
from django.conf import settings
from django.db import DatabaseError, connection

from leaderboard.clock import database_now
from leaderboard.queue import SCORING
from leaderboard.selectors.schedule import due_runs
from leaderboard.services.sweeps import sweep
from leaderboard.services.workers import worker_gone, worker_seen
from workers.scoring import SCORER

logger = logging.getLogger(__name__)

DEAF_LOOKS: Final = 8
"""So many looks in a row, work was due and this worker had taken no message since the last: it has gone deaf."""


@dataclass(slots=True, kw_only=True)
class Presence:
    """What one worker says of itself, and whether it still hears.

    Args:
        name: of the worker.
        queues: that it takes messages from.
        slots: processes that it has.
        tasks: how many tasks it has taken so far, and how many of them it has in hand.
    """

    name: str
    queues: Collection[str]
    slots: int
    tasks: Callable[[], tuple[int, int]]
    taken: int = field(default=0, init=False)
    deaf_looks: int = field(default=0, init=False)

    def look(self) -> bool:
        """One look around; False where the worker has gone deaf."""
        worker_seen(self.name, queues=self.queues, slots=self.slots, scorer=SCORER)
        sweep()
        taken, in_hand = self.tasks()
        heard = taken != self.taken or in_hand > 0 or SCORING not in self.queues
        self.taken = taken
        self.deaf_looks = 0 if heard or not due_runs(database_now()) else self.deaf_looks + 1
        return self.deaf_looks < DEAF_LOOKS


def watch(presence: Presence, done: threading.Event) -> None:
    """Look around at each sweep's time until the worker is told to stop; end it where it has gone deaf."""
    while not done.is_set():
        try:
            if not presence.look():
                logger.error("work is due and no message comes: this worker ends, to be started anew")
                os.kill(os.getpid(), signal.SIGTERM)
                return
        except DatabaseError as error:
            logger.warning("the site's database cannot be asked at the moment: %s", error)
        except Exception:
            # The thread must outlive whatever one look stumbles over.
            logger.exception("fault while looking around")
        finally:
            connection.close()
        done.wait(settings.SWEEP_SECONDS)


_STOPPED: Final = threading.Event()


@worker_ready.connect
def start_watching(sender: Any, **_: object) -> None:
    """Start the thread once the worker takes messages; `sender` is Celery's consumer."""
    presence = Presence(
        name=sender.hostname,
        queues=tuple(sender.app.amqp.queues.consume_from),
        slots=sender.pool.num_processes,
        tasks=lambda: (state.all_total_count[0], len(state.active_requests)),
    )
    threading.Thread(target=watch, args=(presence, _STOPPED), name="presence", daemon=True).start()


@worker_shutting_down.connect
def stop_watching(sender: str, **_: object) -> None:
    """Take the worker out of the register when it is stopped in order; `sender` is its name."""
    _STOPPED.set()
    try:
        worker_gone(sender)
    except DatabaseError as error:
        logger.warning("%s cannot be taken out of the register: %s", sender, error)
    finally:
        connection.close()
