"""The executor that scoring uses: patient with an engine that is restarted, on one connection string."""

from evaluation.executors.mongo import MongoExecutor
from evaluation.executors.patient import PatientExecutor
from evaluation.executors.turnstile import turnstile_for


def connected(url: str, *, demo: bool) -> PatientExecutor:
    """An executor on the server that `url` names; connects when first used."""
    return PatientExecutor(MongoExecutor(url, demo=demo), turnstile=turnstile_for(url))
