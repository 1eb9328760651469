"""The lines for Postfix in deploy/README.md, as they stand there: they bring mails in."""

from __future__ import annotations

import re
import shlex
import smtplib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from service import worker
from service.mail import lmtp
from service.models import INBOUND
from service.site import Site
from tests.mail.bench.office import Office, until
from tests.mail.bench.whole import environment
from tests.mail.inbound.players import Players
from tests.mail.play import DOMAIN, Table

pytestmark = pytest.mark.xdist_group("post office")
README = Path(__file__).parents[3] / "deploy" / "README.md"


def example(title: str, place: str) -> str:
    """The lines for a file of Postfix in the paragraphs under a title."""
    text = README.read_text().partition(f"**{title}**")[2].partition("**Postfix")[0]
    found = re.search(rf"`{re.escape(place)}`.*?\n```\n(.*?)```", text, re.S)
    assert found, (title, place)
    return found[1]


@contextmanager
def configured(office: Office, main: str, master: str = "") -> Iterator[None]:
    """A post office that runs by these lines, of which Postfix has nothing to say."""
    office.shut()
    office.configured(main, master)
    try:
        for words in (["postfix", "check"], ["postconf", "-n"], ["postconf", "-M"]):
            command = [f"/usr/sbin/{words[0]}", "-c", str(office.folder / "etc"), *words[1:]]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), words
        office.open()
        yield
    finally:
        office.shut()
        office.configured()
        office.open()


def taken_in(site: Site, office: Office, hatch: Callable[[], object] = bool) -> None:
    """One mail for two recipients comes in for both, and plays."""
    players = Players(Table(site))
    players.table.begin()
    players.post()
    asked = players.last(players.mover())
    raw = players.letter(players.legal()[0], asked).bytes()
    recipients = [asked["Reply-To"].addresses[0].addr_spec, f"play+u.{'c' * 26}@{DOMAIN}"]
    with smtplib.SMTP("127.0.0.1", office.smtp) as line:
        line.sendmail("bjoern@example.org", recipients, raw)
    until(lambda: hatch() or len(arrived(site)) == 2)
    assert arrived(site) == [(address, "bjoern@example.org") for address in sorted(recipients)]
    players.table.now = 4_000_000_000
    while worker.receive(site, players.table.recorder, players.table.now):
        pass
    assert len(players.moves()) == 1


def arrived(site: Site) -> list[tuple[str, str]]:
    """Recipient and sender of what has come in."""
    query = sa.select(INBOUND.c.recipient, INBOUND.c.sender).order_by(INBOUND.c.recipient)
    with site.db.read() as conn:
        return [(row[0], row[1]) for row in conn.execute(query)]


def test_mails_come_in_over_lmtp(site: Site, office: Office) -> None:
    lines = example("Postfix, over LMTP.", "main.cf")
    port = office.ports["app"]
    assert lines.count("8024") == 1
    with configured(office, lines.replace("8024", str(port))), lmtp.served(site, port):
        taken_in(site, office)


SCRIPT = """\
#!/bin/sh
cat > {hatch}/$$.mail
printf '%s\\n' "$@" > {hatch}/$$.words.new && mv {hatch}/$$.words.new {hatch}/$$.words
while [ ! -e {hatch}/$$.status ]; do sleep 0.05; done
exit "$(cat {hatch}/$$.status)"
"""
"""Postfix lets nobody run it who could reach this checkout: it hands on what it gets."""


def test_mails_come_in_by_a_pipe(site: Site, office: Office) -> None:
    title = "Postfix, by a pipe."
    main, master = example(title, "main.cf"), example(title, "master.cf")
    hatch = office.folder / "hatch"
    hatch.mkdir()
    hatch.chmod(0o777)
    script = office.folder / "script"
    script.write_text(SCRIPT.format(hatch=hatch))
    script.chmod(0o755)
    for ours, here in (
        ("user=fernpartie", "user=nobody"),
        ("/opt/fernpartie/inbound", str(script)),
    ):
        assert master.count(ours) == 1
        master = master.replace(ours, here)
    with configured(office, main, master):
        taken_in(site, office, lambda: served(site, hatch))


def served(site: Site, hatch: Path) -> None:
    """Does for each mail that Postfix has handed to the script what its last line does."""
    (line,) = re.findall(r"`exec \S+ (inbound [^`]*)`", README.read_text())
    for words in hatch.glob("*.words"):
        given = words.read_text().splitlines()
        command = [
            given[int(word[1:]) - 1] if word[0] == "$" else word for word in shlex.split(line)
        ]
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", *command],
            input=words.with_suffix(".mail").read_bytes(),
            env=environment(site.settings),
            check=False,
        )
        words.unlink()
        words.with_suffix(".status").write_text(str(done.returncode))
