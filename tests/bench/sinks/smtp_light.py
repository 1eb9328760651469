"""A mail sink that takes everything and keeps nothing, so that it is not the limit itself."""

from __future__ import annotations

import socketserver
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

GREETING = b"220 sink ready\r\n"
ANSWERS = {
    b"EHLO": b"250-sink\r\n250-8BITMIME\r\n250 SIZE 10000000\r\n",
    b"HELO": b"250 sink\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}
OK = b"250 ok\r\n"


class Session(socketserver.StreamRequestHandler):
    """One connection of a client."""

    disable_nagle_algorithm = True

    def handle(self) -> None:
        self.wfile.write(GREETING)
        while line := self.rfile.readline():
            verb = line[:4].upper()
            self.wfile.write(ANSWERS.get(verb, OK))
            if verb == b"DATA":
                self._swallow()
            if verb == b"QUIT":
                return

    def _swallow(self) -> None:
        while self.rfile.readline() not in (b".\r\n", b""):
            pass
        self.wfile.write(OK)


class Sink(socketserver.ThreadingTCPServer):
    """The sink on a free port of the loopback address."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)


@contextmanager
def sink() -> Iterator[int]:
    """The port of a sink in a process of its own, which ends with the block."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    with Sink() as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()
