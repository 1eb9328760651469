"""A post office of our own for one test run: Postfix and Dovecot on ports of this machine, in a
temporary folder, from which no mail leaves.

`games.example.org` is the service's, `example.org` the players' provider. Everybody's password is
`secret`, and everybody's mailbox a Maildir.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from select import select
from typing import TypeVar

from tests.mail.play import DOMAIN, read
from tests.mail.relay import certificate, free_port

PASSWORD = "secret"
PLAYERS = "example.org"
ANNA, BJOERN, CARLA = f"anna@{PLAYERS}", f"bjoern@{PLAYERS}", f"carla@{PLAYERS}"
"""The third is on holiday, and her mailbox says so."""
FULL, GHOST, LATE, RUDE = (f"{name}@{PLAYERS}" for name in ("full", "ghost", "late", "rude"))
"""A mailbox without room, one that its provider forgot, one that is never ready, and one that
answers everything."""
PORTS = ("smtp", "submission", "imap", "app", "away")
"""Of Postfix, Dovecot, a service that takes mails in by LMTP, and a mail server elsewhere."""
PROGRAMS = {
    "postfix": "/usr/sbin/postfix",
    "dovecot-imapd": "/usr/lib/dovecot/imap",
    "dovecot-lmtpd": "/usr/lib/dovecot/lmtp",
    "dovecot-sieve": "/usr/lib/dovecot/modules/lib90_sieve_plugin.so",
    "mutt": "/usr/bin/mutt",
    "bsdutils": "/usr/bin/script",
}
"""By the package that brings it."""

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/state
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
myhostname = mx.{players}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
default_transport = error:5.4.4 no mail leaves this machine
local_transport = error:5.1.1 nobody lives here
disable_dns_lookups = yes
smtp_host_lookup = native
alias_maps =
alias_database =
biff = no
recipient_delimiter = +
propagate_unmatched_extensions = canonical, virtual, alias
virtual_mailbox_domains = {domain} {players}
virtual_mailbox_maps = inline:{{ {known} }}
virtual_transport = lmtp:unix:{folder}/dovecot/lmtp
transport_maps = inline:{{
  {{{late}=retry:4.2.0 come back later}}
  {{{rude}=smtp:[127.0.0.1]:{away}}}
  {{app@{domain}=lmtp:inet:127.0.0.1:{app}}} }}
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
maximal_queue_lifetime = 10m
bounce_queue_lifetime = 10m
notify_classes =
"""
MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{submission} inet n - n - - smtpd
  -o syslog_name=submitted
  -o smtpd_tls_security_level=encrypt
  -o smtpd_tls_cert_file={folder}/cert.pem
  -o smtpd_tls_key_file={folder}/key.pem
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sasl_type=dovecot
  -o smtpd_sasl_path={folder}/dovecot/sasl
  -o mynetworks=
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n - 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
DOVECOT = """\
base_dir = {folder}/dovecot
state_dir = {folder}/dovecot/state
log_path = {folder}/dovecot.log
instance_name = fernpartie-{imap}
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:~/Maildir
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
postmaster_address = postmaster@{players}
hostname = mx.{players}
submission_host = 127.0.0.1:{smtp}
default_internal_user = dovecot
default_login_user = dovenull
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/users
}}
userdb {{
  driver = passwd-file
  args = {folder}/users
  default_fields = uid=mail gid=mail home={folder}/homes/%u
}}
protocol lmtp {{
  mail_plugins = quota sieve
}}
plugin {{
  quota = maildir:User quota
  quota_grace = 0
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_vacation_min_period = 0
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service auth {{
  unix_listener sasl {{
    mode = 0660
    user = postfix
  }}
}}
service lmtp {{
  unix_listener lmtp {{
    mode = 0660
    user = postfix
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""
HOLIDAY = """\
require ["vacation"];
vacation :days 0 :addresses ["{carla}"] :subject "Abwesenheitsnotiz"
  "Ich bin bis Montag nicht im Haus.\\r\\na1-c1\\r\\nGrüße, Carla";
"""
"""With a line in it that would be a move."""


T = TypeVar("T")


def until(found: Callable[[], T], seconds: float = 30) -> T:
    """Looks again and again until something is there."""
    end = time.monotonic() + seconds
    while not (there := found()):
        assert time.monotonic() < end, "it did not happen in time"
        select([], [], [], 0.03)
    return there


def missing() -> str:
    """What keeps a post office from opening here; "" if nothing does."""
    absent = [package for package, path in PROGRAMS.items() if not Path(path).exists()]
    if absent:
        return f"Programs for mail are not installed (Debian: apt-get install {' '.join(absent)})."
    return "" if os.getuid() == 0 else "Postfix runs for root alone."


@dataclass
class Office:
    folder: Path
    ports: dict[str, int]
    postfix: subprocess.Popen[bytes] | None = None
    read: dict[str, bytes] = field(default_factory=dict)

    @property
    def smtp(self) -> int:
        return self.ports["smtp"]

    @property
    def imap(self) -> int:
        return self.ports["imap"]

    def open(self) -> None:
        """Lets Postfix run."""
        command = ["/usr/sbin/postfix", "-c", str(self.folder / "etc"), "start-fg"]
        self.postfix = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        _answers(self.postfix, self.smtp, b"220")

    def shut(self) -> None:
        """Ends Postfix; what it has lies in its queue."""
        if self.postfix is not None and self.postfix.poll() is None:
            # what we started is a script; the master is its child, and says who it is
            master = int((self.folder / "queue" / "pid" / "master.pid").read_text())
            os.kill(master, signal.SIGTERM)
            self.postfix.wait()
            (self.folder / "queue" / "quick-start").touch()  # all was looked at the first time

    def configured(self, main: str = "", master: str = "") -> None:
        """Lets Postfix run by these lines from its next start on, and by its own where they say
        nothing."""
        values = {**self.ports, "folder": self.folder, "domain": DOMAIN, "players": PLAYERS}
        known = (f"play@{DOMAIN}", f"app@{DOMAIN}", ANNA, BJOERN, CARLA, FULL, GHOST, LATE, RUDE)
        values["known"] = " ".join(f"{{{address}=x}}" for address in known)
        values |= {"late": LATE, "rude": RUDE}
        own = _without(MAIN.format(**values), main)
        (self.folder / "etc" / "main.cf").write_text(own + main)
        (self.folder / "etc" / "master.cf").write_text(MASTER.format(**values) + master)

    def mails(self, address: str) -> list[EmailMessage]:
        """What lies in a mailbox, in the order in which it came."""
        return [read(raw) for raw in self.raws(address)]

    def raws(self, address: str) -> list[bytes]:
        box = self.folder / "homes" / address / "Maildir"
        files = [path for name in ("new", "cur") for path in box.glob(f"{name}/*")]
        return [self._kept(path) for path in sorted(files, key=_arrival)]

    def found(self, address: str, name: str) -> EmailMessage | None:
        """The mail in a mailbox that has a Message-ID of this name."""
        mark = f"\nMessage-ID: <{name}@".encode()
        return next((read(raw) for raw in self.raws(address) if mark in raw), None)

    def _kept(self, path: Path) -> bytes:
        """Its bytes, read once; mail programs move a file that they have looked at."""
        name = path.name.partition(":")[0]
        if name not in self.read:
            with suppress(FileNotFoundError):  # just now
                self.read[name] = path.read_bytes()
        return self.read.get(name, b"")

    def log(self, words: str) -> list[str]:
        """What Postfix has written down with these words in it."""
        entries = (self.folder / "postfix.log").read_text().splitlines()
        return [entry for entry in entries if words in entry]

    def tails(self) -> str:
        """The newest entries of Postfix and Dovecot, for whoever asks why."""
        logs = (self.folder / name for name in ("postfix.log", "dovecot.log"))
        return "\n".join("\n".join(log.read_text().splitlines()[-20:]) for log in logs)

    def waiting(self) -> int:
        """How many mails are on their way."""
        queue = self.folder / "queue"
        folders = ("maildrop", "incoming", "active", "deferred")
        return sum(path.is_file() for name in folders for path in (queue / name).rglob("*"))

    def cleared(self) -> None:
        """No mail is left anywhere."""
        until(lambda: not self.waiting())
        for box in (self.folder / "homes").glob("*/Maildir"):
            shutil.rmtree(box)


def _without(lines: str, others: str) -> str:
    """Lines of a configuration without what others set."""
    names = re.findall(r"(?m)^(\w+) *=", others)
    for name in names:
        lines = re.sub(rf"(?m)^{name} *=.*\n([ \t].*\n)*", "", lines)
    return lines


def _arrival(path: Path) -> tuple[int, str]:
    """By the time in its name."""
    seconds, _, rest = path.name.partition(".")
    return int(seconds), rest


@contextmanager
def office() -> Iterator[Office]:
    """A post office that is open."""
    folder = Path(tempfile.mkdtemp(prefix="fernpartie-post-"))
    folder.chmod(0o755)
    there = Office(folder, {name: free_port() for name in PORTS})
    _furnish(there)
    command = ["/usr/sbin/dovecot", "-F", "-c", str(folder / "dovecot.conf")]
    dovecot = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        there.open()
        _answers(dovecot, there.imap, b"* OK")
        yield there
    finally:
        there.shut()
        dovecot.terminate()
        dovecot.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _furnish(there: Office) -> None:
    folder = there.folder
    for name in ("etc", "queue", "state", "dovecot", "homes"):
        (folder / name).mkdir()
    shutil.chown(folder / "state", "postfix")
    certificate(folder)
    there.configured()
    values = {**there.ports, "folder": folder, "players": PLAYERS}
    (folder / "dovecot.conf").write_text(DOVECOT.format(**values))
    boxes = (f"play@{DOMAIN}", ANNA, BJOERN, CARLA)
    users = [f"{address}:{PASSWORD}::::::\n" for address in boxes]
    users.append(f"{FULL}:{PASSWORD}::::::userdb_quota_rule=*:storage=1B\n")
    (folder / "users").write_text("".join(users))
    home = folder / "homes" / CARLA
    home.mkdir()
    (home / ".dovecot.sieve").write_text(HOLIDAY.format(carla=CARLA))
    for path in (folder / "homes", home, home / ".dovecot.sieve"):
        shutil.chown(path, "mail", "mail")


def _answers(process: subprocess.Popen[bytes], port: int, greeting: bytes) -> None:
    """Waits until a server greets whoever connects."""

    def greets() -> bool:
        assert process.poll() is None, "a server did not start"
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            return line.recv(len(greeting)) == greeting
        return False

    until(greets)
