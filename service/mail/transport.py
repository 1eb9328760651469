"""Where finished mails go: a mail relay, or mailboxes on disk."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from service.mail import mailbox
from service.reach import Bounce
from service.settings import Settings

CONNECT = 20
COMMAND = 60
"""Seconds to wait for a connection, and for the answer to a command."""
LEAVE = 5
"""The same for a farewell, on which nothing depends."""

LOCKED = (530, 534, 535)
"""Answers of a relay that wants another login."""
CLOSING = (421, *LOCKED)
"""Answers that say nothing about a mail: the relay takes its leave, or does not let us in."""
GONE = re.compile(r"5\.(1\.(1|2|3|6|10)|2\.1)\b")
"""Enhanced codes of a mailbox that is not there."""
FULL = re.compile(r"5\.(2\.2|4\.\d+)\b")
"""Of one that is full or out of reach, which passes, though the code says it does not."""
MISTRUST = re.compile(r"5\.7\.\d+|spam|policy|block|blacklist|reputation", re.IGNORECASE)
"""Of relays that do not trust us."""
PLAIN = re.compile(r"5\.0\.0\b|(?!\d\.\d)")
"""Of a refusal that does not say why."""
NO_NAME = "FERNPARTIE_SMTP_HOST or FERNPARTIE_SMTP_HELLO is no name of a machine"

Tls = Literal["starttls", "implicit", "none"]
Outcome = Literal["sent", "deferred", "failed", "uncertain"]


@dataclass(frozen=True)
class Delivery:
    """What came of one attempt; `text` is the other side's answer and where it was given.

    `uncertain`: the mail was handed over, and then no answer came (RFC 1047). `bounce`: what it
    says about the address. `ours`: it says something about us that the operator has to mend.
    """

    state: Outcome
    code: int = 0
    text: str = ""
    bounce: Bounce = ""
    ours: bool = False


class Unreachable(OSError):
    """The way out cannot be used now. It says nothing about the mail, which waits.

    `ours`: it does not let us in, which the operator has to mend. `begun`: it let us in, and
    hung up when it was given a mail.
    """

    def __init__(self, why: str, *, ours: bool = False, begun: bool = False) -> None:
        super().__init__(why)
        self.ours = ours
        self.begun = begun


@dataclass
class Breaker:
    """Lets a way out rest that cannot be used: 30 seconds, twice as long each time, at most 15
    minutes."""

    until: int = 0
    pause: int = 0
    why: str = ""
    shut: bool = False
    """Set for good when the process is to end."""

    def rests(self, now: int) -> bool:
        return self.shut or now < self.until

    def trip(self, now: int, why: str) -> None:
        self.pause = min(max(30, 2 * self.pause), 900)
        self.until, self.why = now + self.pause, why

    def reset(self) -> None:
        self.until, self.pause, self.why = 0, 0, ""


class Transport(Protocol):
    """A way out for finished mails, kept open for a batch."""

    breaker: Breaker

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        """Hands over one mail for one recipient, byte for byte. Raises Unreachable."""

    def close(self) -> None:
        """Ends the batch."""


class Maildir:
    """Mailboxes on disk, for a service without a relay."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.breaker = Breaker()

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        try:
            return Delivery("sent", text=mailbox.put(self.root, recipient, raw))
        except OSError as error:
            raise Unreachable(str(error)) from error

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Relay:
    """How to reach a mail relay, and the name to greet it with."""

    host: str
    port: int
    greeting: str
    tls: Tls = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)


def chosen(settings: Settings) -> Transport:
    """The way out that the settings name."""
    if settings.smtp_host is None:
        return Maildir(mailbox.folder(settings.data))
    password = settings.smtp_password
    return Smtp(
        Relay(
            settings.smtp_host,
            settings.smtp_port,
            settings.smtp_hello or settings.mail_domain,
            settings.smtp_tls,
            settings.smtp_user or "",
            password.get_secret_value() if password else "",
        )
    )


class Smtp:
    """A mail relay, by one connection for a batch and one transaction for a mail."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.breaker = Breaker()
        self._server: smtplib.SMTP | None = None

    def deliver(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        kept = self._server is not None
        try:
            return self._transaction(sender, recipient, raw)
        except Unreachable:
            if not kept:
                raise
        return self._transaction(sender, recipient, raw)

    def ask(self, sender: str, recipient: str) -> Delivery | None:
        """Goes as far as a mail does before it is sent, and takes leave: the refusal, if there is
        one. Raises Unreachable."""
        try:
            return _asked(list(_opening(self._connected(), sender, recipient, 0))[:2])
        except OSError as error:
            raise _unreachable(error) from error
        finally:
            self.close()

    def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            try:
                if server.sock is not None:
                    server.sock.settimeout(LEAVE)
                server.quit()
            except OSError:
                server.close()

    def _transaction(self, sender: str, recipient: str, raw: bytes) -> Delivery:
        server = self._connected()
        try:
            refused = _asked(_opening(server, sender, recipient, len(raw)))
            if refused:
                self._again(server)
                return refused
            server.send(re.sub(rb"(?m)^\.", b"..", raw))
        except OSError as error:
            self.close()
            raise _unreachable(error, begun=True) from error
        return self._end(server, raw)

    def _again(self, server: smtplib.SMTP) -> None:
        """Makes ready for the next mail; whoever hangs up has refused this one all the same."""
        try:
            server.rset()
        except OSError:
            self.close()

    def _end(self, server: smtplib.SMTP, raw: bytes) -> Delivery:
        """Sends the final dot: from here on a lost connection leaves the outcome open."""
        try:
            server.send(b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n")
            code, text = server.getreply()
        except OSError as error:
            self.close()
            return Delivery("uncertain", text=f"final dot: {error}")
        if code == 421:
            self.close()
        return _delivery("final dot", code, text)

    def _connected(self) -> smtplib.SMTP:
        if self._server is None:
            try:
                self._server = _connect(self.relay)
            except UnicodeError as error:
                raise Unreachable(NO_NAME) from error
            except OSError as error:
                raise _unreachable(error) from error
        return self._server


def _unreachable(error: OSError, *, begun: bool = False) -> Unreachable:
    if not isinstance(error, smtplib.SMTPResponseException):
        return Unreachable(str(error), begun=begun)
    text = error.smtp_error
    said = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    ours = error.smtp_code in LOCKED
    return Unreachable(f"{error.smtp_code} {said}"[:500], ours=ours, begun=begun and not ours)


def _connect(relay: Relay) -> smtplib.SMTP:
    server = _dial(relay)
    try:
        if server.sock is not None:
            server.sock.settimeout(COMMAND)
            # The final dot goes out by itself; it must not wait for the body to be acknowledged.
            server.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server.ehlo_or_helo_if_needed()
        if relay.tls == "starttls":
            server.starttls(context=relay.context)
            server.ehlo_or_helo_if_needed()
        if relay.user:
            _login(server, relay.user, relay.password)
    except (OSError, UnicodeError):
        server.close()
        raise
    return server


def _login(server: smtplib.SMTP, user: str, password: str) -> None:
    """As `login` does, which knows no other than plain letters."""
    if (user + password).isascii():
        server.login(user, password)
        return
    words = b64encode(f"\0{user}\0{password}".encode()).decode()
    code, text = server.docmd("AUTH", f"PLAIN {words}")
    if code != 235:
        raise smtplib.SMTPAuthenticationError(code, text)


def _dial(relay: Relay) -> smtplib.SMTP:
    if relay.tls == "implicit":
        return smtplib.SMTP_SSL(
            relay.host, relay.port, relay.greeting, timeout=CONNECT, context=relay.context
        )
    return smtplib.SMTP(relay.host, relay.port, relay.greeting, timeout=CONNECT)


Command = Callable[[], tuple[int, bytes]]


def _opening(
    server: smtplib.SMTP, sender: str, recipient: str, size: int
) -> Iterable[tuple[str, Command]]:
    options = [f"SIZE={size}"] if server.has_extn("size") else []
    yield "MAIL", lambda: server.mail(sender, options)
    yield "RCPT", lambda: server.rcpt(recipient)
    yield "DATA", lambda: server.docmd("DATA")


def _asked(commands: Iterable[tuple[str, Command]]) -> Delivery | None:
    """The first refusal, if there is one. Raises OSError when the server takes its leave."""
    for phase, command in commands:
        code, text = command()
        if code in CLOSING or code < 200:
            raise smtplib.SMTPResponseException(code, text)
        if code >= 400:
            return _delivery(phase, code, text)
    return None


def _delivery(phase: str, code: int, text: bytes) -> Delivery:
    answer = text.decode("ascii", "replace")
    said = f"{phase}: {code} {answer}"[:500]
    if code < 200 or code >= 600:
        return Delivery("uncertain", code, said)
    if code < 500:
        return Delivery("sent" if code < 400 else "deferred", code, said)
    return _refusal(phase, code, answer, said)


def _refusal(phase: str, code: int, answer: str, said: str) -> Delivery:
    """What a refusal for good says: about the mailbox, about us, or about the mail."""
    if phase != "MAIL" and not MISTRUST.search(answer):
        if phase == "RCPT" and GONE.match(answer):
            return Delivery("failed", code, said, bounce="hard")
        if FULL.match(answer):
            return Delivery("deferred", code, said, bounce="soft")
        if phase == "RCPT" and PLAIN.match(answer):
            return Delivery("failed", code, said, bounce="soft")
    return Delivery("failed", code, said, ours=True)
