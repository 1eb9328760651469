"""A person who has nothing but mutt, in a terminal."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from email.message import EmailMessage
from pathlib import Path

from tests.mail.bench.office import PASSWORD, Office

CONFIG = """\
set spoolfile="imap://127.0.0.1:{imap}/INBOX" folder="imap://127.0.0.1:{imap}/"
set imap_user="{address}" imap_pass="{password}" ssl_starttls=no ssl_force_tls=no
set smtp_url="smtp://127.0.0.1:{smtp}/" from="{address}" realname="{name}" use_from=yes
set editor="{folder}/editor" include=yes fast_reply=yes autoedit=yes reply_to=yes copy=no
set attribution="{attribution}" send_charset="{charset}"
set sleep_time=0 wait_key=no quit=yes delete=no move=no recall=no abort_unmodified=no
set header_cache="" tmpdir="{folder}" history_file="" beep=no
push "<search>~i {id}<enter><reply>{copy}<send-message><quit>"
"""
ABOVE = 'printf "%s\\n\\n" {typed} | cat - "$1" > "$1.new" && mv "$1.new" "$1"'
BELOW = 'printf "\\n%s\\n" {typed} >> "$1"'
"""What a person does in the editor: writes over the quote, or under it."""
EDITOR = '#!/bin/sh\n{edit}\ntouch -d 2000-01-01 "$1"\n'
"""With a file from the second in which it made it, mutt asks whether to look at it once more."""


def answer(
    office: Office,
    address: str,
    mail: EmailMessage,
    typed: str,
    *,
    below: bool = False,
    charset: str = "us-ascii:utf-8",
    copy: str = "",
) -> None:
    """Opens the mailbox, goes to a mail, replies and sends."""
    with tempfile.TemporaryDirectory(prefix="fernpartie-mutt-") as name:
        folder = Path(name)
        editor = folder / "editor"
        edit = (BELOW if below else ABOVE).format(typed=shlex.quote(typed))
        editor.write_text(EDITOR.format(edit=edit))
        editor.chmod(0o700)
        values = {**office.ports, "folder": folder, "charset": charset}
        values["copy"] = f"<edit-cc>{copy}<enter>" if copy else ""
        (folder / "rc").write_text(CONFIG.format(**values, **_personal(address, mail)))
        with subprocess.Popen(
            ["script", "-qfec", f"mutt -n -F {folder / 'rc'}", str(folder / "typescript")],
            env={"PATH": "/usr/bin:/bin", "TERM": "xterm", "HOME": name, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.PIPE,  # a keyboard that stays; its end would be a key for mutt
            stdout=subprocess.DEVNULL,
        ) as process:
            end = _end(process)
            screen = (folder / "typescript").read_text(errors="replace")
            assert end == 0, f"{screen}\n{office.tails()}"


def _personal(address: str, mail: EmailMessage) -> dict[str, str]:
    """Whose mutt it is, and the mail it is to go to."""
    return {
        "address": address,
        "password": PASSWORD,
        "name": address.partition("@")[0].title() + " Äöü",
        "attribution": "Am %d schrieb %n:",
        "id": str(mail["Message-ID"])[1:33],
    }


def _end(process: subprocess.Popen[bytes]) -> int | None:
    """How it ended; None if it waited for a key."""
    try:
        return process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        return None
