"""A mail server of our own for one test run: Dovecot on a port of this machine, in a temporary
folder, with one mailbox that keeps every sub-address."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from select import select

from imapclient import IMAPClient

USER, PASSWORD = "play@games.example.org", "secret"
CONFIG = """
base_dir = {run}
state_dir = {run}/state
log_path = {folder}/log
instance_name = fernpartie-{port}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:{folder}/mail
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
default_internal_user = dovecot
default_login_user = dovenull
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={folder}
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


@dataclass(frozen=True)
class Server:
    port: int

    def open(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", port=self.port, ssl=False)
        client.login(USER, PASSWORD)
        return client

    def bring(self, raw: bytes, arrived: int | None = None, folder: str = "INBOX") -> None:
        """A mail arrives."""
        time = None if arrived is None else datetime.fromtimestamp(arrived, UTC)
        with self.open() as client:
            client.append(folder, raw, msg_time=time)

    def anew(self, folder: str) -> int:
        """An empty folder, in the place of one that may be there; its UIDVALIDITY, ever another."""
        with self.open() as client:
            if client.folder_exists(folder):
                client.delete_folder(folder)
            client.create_folder(folder)
            return int(client.select_folder(folder, readonly=True)[b"UIDVALIDITY"])

    def count(self, folder: str) -> int:
        with self.open() as client:
            client.select_folder(folder, readonly=True)
            return len(client.search("ALL"))


def program() -> str | None:
    """Dovecot, if it is installed and this user may run it for others."""
    return shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin") if os.getuid() == 0 else None


@contextmanager
def serve(binary: str) -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="fernpartie-imap-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "run").mkdir()
    (folder / "mail").mkdir()
    for path in (folder, folder / "mail"):
        path.chmod(0o755)
        shutil.chown(path, "mail", "mail")
    given = {"run": folder / "run", "folder": folder, "port": port, "password": PASSWORD}
    (folder / "conf").write_text(CONFIG.format(**given))
    process = subprocess.Popen([binary, "-F", "-c", str(folder / "conf")])
    try:
        _wait(process, port)
        yield Server(port)
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    """Until it greets whoever connects."""
    for _ in range(200):
        assert process.poll() is None, "Dovecot did not start"
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                if connection.recv(3) == b"* O":
                    return
        except OSError:
            select([], [], [], 0.05)
    raise AssertionError("Dovecot does not answer")
