"""A mail relay that says what a test wants at any step, from its greeting to the final dot."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

USUAL = {
    "CONNECT": "220 mx.example.org",
    "EHLO": "250-mx.example.org\r\n250-SIZE 9000000\r\n250 AUTH PLAIN",
    "HELO": "250 mx.example.org",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 fine",
    "RCPT": "250 2.1.5 fine",
    "DATA": "354 go on",
    "DOT": "250 2.0.0 kept",
    "RSET": "250 2.0.0 fine",
    "QUIT": "221 2.0.0 bye",
}
"""What it says at each step, unless a test wants something else."""
DROP = "drop"
"""It hangs up instead."""


@dataclass
class Scripted:
    answers: dict[str, str] = field(default_factory=dict)
    mails: list[bytes] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        """One connection after the other, until the listener is closed."""
        with suppress(OSError):
            while True:
                line, _ = listener.accept()
                with line, suppress(OSError):
                    self._talk(line)

    def _talk(self, line: socket.socket) -> None:
        step = "CONNECT"
        with line.makefile("rb") as said:
            while (answer := self.answers.get(step, USUAL[step])) != DROP:
                line.sendall(answer.encode() + b"\r\n")
                if step == "DATA" and answer.startswith("354"):
                    self.mails.append(b"".join(iter(said.readline, b".\r\n")))
                    step = "DOT"
                elif words := said.readline().split(None, 1):
                    step = words[0].decode().upper()
                else:
                    return


@contextmanager
def scripted() -> Iterator[tuple[Scripted, int]]:
    """Such a relay, and its port."""
    relay = Scripted()
    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=relay.serve, args=(listener,))
    thread.start()
    yield relay, listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()
