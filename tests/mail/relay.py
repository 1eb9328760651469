"""A mail relay on a free port of this machine that answers as a test wants."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


@dataclass
class Desk:
    """What arrived, and what to answer next at each step; "drop" hangs up, "lost" takes the mail
    first."""

    mails: list[tuple[str, str, bytes]] = field(default_factory=list)
    answers: dict[str, list[str]] = field(default_factory=dict)
    connections: int = 0
    greeting: str = ""

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, name: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        self.greeting = session.host_name = name
        return responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self._next(server, "MAIL")
        if answer.startswith("250"):
            envelope.mail_from = address
        return answer

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = self._next(server, "RCPT")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        lost = self.answers.get("DATA", [""])[:1] == ["lost"]
        answer = "250 2.0.0 fine" if lost else self._next(server, "DATA")
        if answer.startswith("250"):
            content = envelope.original_content
            assert isinstance(content, bytes)
            assert envelope.mail_from is not None
            self.mails.append((envelope.mail_from, ",".join(envelope.rcpt_tos), content))
        if lost:
            self.answers["DATA"][0] = "drop"
            self._next(server, "DATA")
        return answer

    def _next(self, server: SMTP, step: str) -> str:
        planned = self.answers.get(step)
        answer = planned.pop(0) if planned else "250 2.0.0 fine"
        if answer == "drop":
            assert server.transport is not None
            server.transport.abort()
            raise asyncio.CancelledError
        return answer


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def listening(desk: Desk, **options: Any) -> Iterator[int]:
    """A relay with this desk; gives its port."""
    controller = Controller(desk, hostname="127.0.0.1", port=free_port(), **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def password(server: SMTP, session: Session, envelope: Envelope, how: str, data: Any) -> AuthResult:
    """Lets in whoever says that the password is `right`, or `Schlüssel`."""
    return AuthResult(success=data.password in (b"right", "Schlüssel".encode()), handled=False)


def certificate(folder: Path) -> ssl.SSLContext:
    """Puts `key.pem` and `cert.pem` of localhost into a folder; gives what trusts them."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {key}"
        f" -out {cert} -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost".split(),
        check=True,
        capture_output=True,
    )
    return ssl.create_default_context(cafile=str(cert))
