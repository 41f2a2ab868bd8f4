"""Whose fault an error of the document database is: the query's, the time's, or the server's.

Codes are those of MongoDB's `error_codes.yml`.
"""

from bson.errors import BSONError
from pymongo.errors import OperationFailure

from evaluation.types import ExecutionFailure, FailureKind

MESSAGE_LENGTH = 300

TIMED_OUT_CODES = frozenset(
    {
        50,  # MaxTimeMSExpired
        262,  # ExceededTimeLimit
    }
)
TOO_LARGE_CODES = frozenset(
    {
        146,  # ExceededMemoryLimit
        292,  # QueryExceededMemoryLimitNoDiskUseAllowed
        10334,  # BSONObjectTooLarge
        16389,  # an aggregation's one document above 16 MB, older servers
        16819,  # $sort above its memory, older servers
        16945,  # $group above its memory, older servers
        17217,  # distinct above 16 MB
        17419,  # a resulting document above 16 MB
    }
)
UNAUTHORIZED = 13
UNAVAILABLE_CODES = frozenset(
    {
        6,  # HostUnreachable
        7,  # HostNotFound
        11,  # UserNotFound
        18,  # AuthenticationFailed
        24,  # LockTimeout
        43,  # CursorNotFound: the server was restarted, or dropped the cursor
        46,  # LockBusy
        89,  # NetworkTimeout
        91,  # ShutdownInProgress
        112,  # WriteConflict
        133,  # FailedToSatisfyReadPreference
        134,  # ReadConcernMajorityNotAvailableYet
        175,  # QueryPlanKilled: the collection was dropped, or loaded anew
        189,  # PrimarySteppedDown
        202,  # NetworkInterfaceExceededTimeLimit
        237,  # CursorKilled
        239,  # SnapshotTooOld
        246,  # SnapshotUnavailable
        279,  # ClientDisconnect
        317,  # ConnectionPoolExpired
        9001,  # SocketException
        10107,  # NotWritablePrimary
        11600,  # InterruptedAtShutdown
        11601,  # Interrupted: an administrator ended it
        11602,  # InterruptedDueToReplStateChange
        13435,  # NotPrimaryNoSecondaryOk
        13436,  # NotPrimaryOrSecondary
    }
)


def is_servers_fault(error: OperationFailure) -> bool:
    """Whether the server gave up for a reason that is not the query's; `Unauthorized` is for the caller to judge."""
    return error.code in UNAVAILABLE_CODES


def failure_of(error: OperationFailure, *, milliseconds: float) -> ExecutionFailure:
    """The failure of a query that the server rejected or ended."""
    kind = FailureKind.INVALID
    if error.code in TIMED_OUT_CODES:
        kind = FailureKind.TIMED_OUT
    elif error.code in TOO_LARGE_CODES:
        kind = FailureKind.TOO_LARGE
    details = error.details or {}
    return ExecutionFailure(
        kind=kind,
        code=error.code,
        message=shortened(str(details.get("errmsg") or error)),
        milliseconds=milliseconds,
    )


def unsendable(error: BSONError | ValueError | TypeError | OverflowError) -> ExecutionFailure:
    """The failure of a query that BSON cannot carry: an integer above 64 bits, a NUL in a key, …"""
    return ExecutionFailure(kind=FailureKind.INVALID, code=None, message=shortened(str(error)))


def shortened(message: str) -> str:
    """One line of at most `MESSAGE_LENGTH` characters."""
    line = " ".join(message.split())
    return line if len(line) <= MESSAGE_LENGTH else f"{line[: MESSAGE_LENGTH - 1]}…"
