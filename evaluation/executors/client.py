"""Connections to the document database, one client a process and deadline."""

import os
import threading
from typing import Any

from bson.codec_options import CodecOptions, DatetimeConversion
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient
from pymongo.errors import PyMongoError
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

APPLICATION = "aptboard"
CONNECT_MILLISECONDS = 5_000
PING_MILLISECONDS = 3_000
# Above our own deadline: the server's maxTimeMS is to end a query first, the socket's only if the server cannot.
GRACE_MILLISECONDS = 3_000
IDLE_MILLISECONDS = 60_000

# Invalid UTF-8 stays visible, distinct and encodable instead of failing a whole answer; a date outside of years 1 to
# 9999 is a value like any other.
DECODING: CodecOptions[dict[str, Any]] = CodecOptions(
    document_class=dict,
    datetime_conversion=DatetimeConversion.DATETIME_MS,
    unicode_decode_error_handler="backslashreplace",
)
RAW: CodecOptions[RawBSONDocument] = CodecOptions(document_class=RawBSONDocument)


class SendingWatch(CommandListener):
    """Tells whether this thread has sent a command since it last asked."""

    def __init__(self) -> None:
        self._thread = threading.local()

    def reset(self) -> None:
        """Forget what was sent."""
        self._thread.sent = False

    @property
    def sent(self) -> bool:
        """Whether a command went out since `reset`."""
        return bool(getattr(self._thread, "sent", False))

    def started(self, event: CommandStartedEvent) -> None:
        """Called by the driver on the thread that sends, once it holds a connection."""
        self._thread.sent = True

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """Of no interest."""

    def failed(self, event: CommandFailedEvent) -> None:
        """Of no interest."""


class Connections:
    """Makes clients when first needed, and anew in a forked child: a client's threads do not live through a fork."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.watch = SendingWatch()
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._clients: dict[int, MongoClient[RawBSONDocument]] = {}

    def client(self, milliseconds: int) -> MongoClient[RawBSONDocument]:
        """The client whose connections wait a little longer than `milliseconds` for a reply."""
        if self._process != os.getpid():
            self._process, self._lock, self._clients = os.getpid(), threading.Lock(), {}
        with self._lock:
            if milliseconds not in self._clients:
                self._clients[milliseconds] = self._connected(milliseconds + GRACE_MILLISECONDS)
            return self._clients[milliseconds]

    def _connected(self, socket_milliseconds: int) -> MongoClient[RawBSONDocument]:
        return MongoClient(
            self.url,
            document_class=RawBSONDocument,
            appname=APPLICATION,
            connectTimeoutMS=CONNECT_MILLISECONDS,
            serverSelectionTimeoutMS=CONNECT_MILLISECONDS,
            socketTimeoutMS=socket_milliseconds,
            maxIdleTimeMS=IDLE_MILLISECONDS,
            retryReads=False,
            event_listeners=[self.watch],
        )

    def answers(self) -> bool:
        """Whether the server answers a ping promptly and knows our user."""
        client: MongoClient[dict[str, Any]] = MongoClient(
            self.url,
            appname=APPLICATION,
            connectTimeoutMS=PING_MILLISECONDS,
            serverSelectionTimeoutMS=PING_MILLISECONDS,
            socketTimeoutMS=PING_MILLISECONDS,
        )
        try:
            client.admin.command("ping")
        except PyMongoError:
            return False
        finally:
            client.close()
        return True

    def close(self) -> None:
        """Close this process's clients; they are made again when needed."""
        with self._lock:
            clients, self._clients = self._clients, {}
        for client in clients.values():
            client.close()
