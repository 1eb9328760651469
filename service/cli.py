"""The command `fernpartie`: sets up, serves, exports, verifies and looks whether all is well."""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.errors import Fork, NoMatch, NotReady, Unavailable

if TYPE_CHECKING:
    from games.core.drawing import Language
    from games.log.policy import Policy
    from service.dkim import Kind
    from service.mail.trial import Answer, Trial
    from service.settings import Settings
    from service.site import Site

TOKEN_BYTES = 16
SELECTOR = "fernpartie"
"""Of a key to sign mails with, unless the operator has named another."""
TRY_LATER = 75
"""EX_TEMPFAIL of sysexits: mail servers keep the mail and come back."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """A play-by-mail service for slow games. Settings are FERNPARTIE_… in the environment."""


def main() -> None:
    """Runs a command; what cannot be done is said in a sentence, with status 2."""
    try:
        commands(prog_name="fernpartie")
    except (NotReady, Unavailable, NoMatch, Fork) as error:
        print(f"fernpartie: {error}", file=sys.stderr)
        sys.exit(2)


@commands.command()
@click.option("--name", help="The service's name in keys and logs, for ever. First time only.")
def init(name: str | None) -> None:
    """Sets up what is missing; may be run again at any time."""
    from service import site

    settings = _settings()
    site.init(settings, name)
    click.echo(f"Ready in {settings.data}")


@commands.command()
def serve() -> None:
    """Runs pages and worker until Ctrl-C; both end when one ends."""
    from service.serve import both

    settings = _settings()
    _open().close()
    token = settings.operator_token
    operator = token.get_secret_value() if token else secrets.token_urlsafe(TOKEN_BYTES)

    def announce() -> None:
        click.echo(f"Fernpartie is at {settings.base_url}")
        if settings.embedded:
            click.echo(f"Its mails are at {settings.base_url}/operator/{operator}")
        click.echo("Ctrl-C ends it.")

    sys.exit(both(settings, {"FERNPARTIE_OPERATOR_TOKEN": operator}, announce))


@commands.command()
@click.option("--with-parent", is_flag=True, hidden=True)
def web(with_parent: bool) -> None:
    """Runs the pages alone."""
    from service.serve import follow_parent, pages

    settings = _settings()
    _open().close()
    if with_parent:
        follow_parent()
    pages(settings)


@commands.command()
@click.option("--with-parent", is_flag=True, hidden=True)
def worker(with_parent: bool) -> None:
    """Runs the worker alone: mail, and what is due."""
    settings = _settings()
    from service import worker as working
    from service.serve import follow_parent

    if with_parent:
        follow_parent()
    working.run(settings, logging.WARNING if with_parent else logging.INFO)


@commands.command()
@click.option(
    "--rcpt", default="", help="The recipient of the envelope, as the mail server has it."
)
@click.option("--sender", default="", help="The sender of the envelope.")
def inbound(rcpt: str, sender: str) -> None:
    """Takes in one mail from standard input: status 0 once it is kept, 75 to try again later."""
    try:
        from service.mail import door

        with closing(_open()) as site:
            door.take_in(site, "pipe", sys.stdin.buffer.read(), int(time.time()), rcpt, sender)
    except (NotReady, Unavailable, OSError) as error:
        print(f"fernpartie: {error}", file=sys.stderr)
        sys.exit(TRY_LATER)


@commands.command()
def reindex() -> None:
    """Puts right what the database lists of matches, by their records; they may go on meanwhile."""
    from service import matches, records

    with closing(_open()) as site:
        with site.db.read() as conn:
            every = matches.every(conn)
        wrong = [match for match in every if records.rebuild(site, match)]
    click.echo(f"Matches: {len(every)}. Put right: {len(wrong)}.")


@commands.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--with-keys", is_flag=True, help="Keys too: whoever has the file is the service.")
def backup(path: Path, with_keys: bool) -> None:
    """Writes the database into a new file, while the service runs; never the signer's store."""
    from service.backup import back_up

    count = back_up(_settings(), path, with_keys=with_keys)
    click.echo(f"{count} records are in {path}. The signer's store is kept apart.")


@commands.command()
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Sets a database aside that holds something.")
def restore(path: Path, replace: bool) -> None:
    """Puts a backup in the place of the database, and says which matches cannot go on."""
    from service.backup import restore as put_back

    done = put_back(_settings(), path, int(time.time()), replace=replace)
    click.echo(f"{done.records} records are back, and every log holds.")
    if done.aside:
        click.echo(f"What was there is in {done.aside}")
    for conflict in done.conflicts:
        click.echo(str(conflict))


@commands.command("migrate-to")
@click.argument("url")
@click.option("--signer", help="Where the signer's store is to move; else it stays where it is.")
def migrate_to(url: str, signer: str | None) -> None:
    """Copies everything to an empty database and verifies every log there."""
    from service.backup import move
    from service.settings import database_url

    settings, target = _settings(), database_url(url)
    count = move(settings, target, signer and database_url(signer), int(time.time()))
    click.echo(f"{count} records are there, and every log holds. The old database is as it was.")
    click.echo("Set FERNPARTIE_DATABASE_URL to the new address before the next start.")
    if signer:
        click.echo("Set FERNPARTIE_SIGNER_URL too, and never use the old signer's store again.")


@commands.command()
@click.argument("match")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file; else shown.")
def export(match: str, out: Path | None) -> None:
    """Writes the log of a match with its signed head, finished or not."""
    from service import records

    with closing(_open()) as site:
        data = records.export(site, match)
    if out is None:
        click.echo(data, nl=False)
    else:
        out.write_bytes(data)


@commands.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--policy", type=click.Path(path_type=Path), help="Whose signatures are asked for.")
@click.option("--json", "as_json", is_flag=True, help="One object for machines.")
def verify(file: Path, policy: Path | None, as_json: bool) -> None:
    """Checks a log: status 0 if everything holds, 1 if not, 2 if it cannot be read.

    Without --policy a log of this service is held against this service's own keys, any other
    against the keys that it names itself.
    """
    from games.__main__ import Unusable, read_file, read_policy, report
    from games.verify import Verdict
    from games.verify import verify as judge

    try:
        data = read_file(file)
        verdict = judge(data, read_policy(policy) if policy else _own_policy(data))
        status = 0 if verdict.ok else 1
    except Unusable as error:
        if not as_json:
            raise NotReady("%(error)s", error=str(error)) from error
        verdict, status = Verdict(False, None, None, (), str(error)), 2
    click.echo(report(verdict, as_json=as_json))
    sys.exit(status)


@commands.command()
@click.option("--stopped", is_flag=True, help="The service is not meant to be running now.")
@click.option("--json", "as_json", is_flag=True, help="One object for machines.")
@click.option("--dns", is_flag=True, help="Shows what has to stand in DNS for mail.")
@click.option("--mail", metavar="ADDRESS", help="Sends a test turn there, waits for its answer.")
@click.option("--language", default="en", type=click.Choice(["de", "en"]), help="Of that turn.")
@click.option("--wait", default=300, help="Seconds to wait for it.", show_default=True)
def doctor(
    stopped: bool, as_json: bool, dns: bool, mail: str | None, language: Language, wait: int
) -> None:
    """Looks whether all is well and says what to do; status 1 if something is not."""
    from service.doctor import examine

    if dns:
        _show_dns()
        return
    if mail:
        _try_mail(mail, language, wait)
        return
    findings = list(examine(_settings(), int(time.time()), running=not stopped))
    if as_json:
        click.echo(json.dumps([finding.__dict__ for finding in findings], indent=1))
    else:
        for finding in findings:
            click.echo(str(finding))
    sys.exit(any(not finding.ok for finding in findings))


@commands.command("dkim-key")
@click.option("--kind", default="rsa", type=click.Choice(["rsa", "ed25519"]), show_default=True)
@click.option("--selector", help="Its name in DNS, for a key that is to take the place of another.")
@click.option("--file", type=click.Path(path_type=Path), help="Where that key is kept.")
def dkim_key(kind: Kind, selector: str | None, file: Path | None) -> None:
    """Makes the key to sign mails with, unless there is one, and shows what DNS needs for it."""
    from service import dkim, site

    settings = _settings()
    if not site.has_keys(settings):
        raise NotReady(
            "There is no service in %(data)s yet. Run: fernpartie init", data=str(settings.data)
        )
    if settings.signing_domain == site.DEFAULT_NAME:
        raise NotReady("Set FERNPARTIE_MAIL_FROM first: mails are signed for its domain.")
    name, path = selector or settings.dkim_selector or SELECTOR, file or settings.dkim_key
    wanted = settings.model_copy(update={"dkim_selector": name, "dkim_key": path.absolute()})
    made = dkim.make(wanted, kind)
    key = dkim.key_of(wanted, name)
    click.echo(f"{'Made' if made else 'There is'} {wanted.dkim_key}")
    click.echo(f"{key.name}  TXT  {key.record}")
    to_set = [
        f"FERNPARTIE_{setting.upper()}={getattr(wanted, setting)}"
        for setting in ("dkim_selector", "dkim_key")
        if getattr(wanted, setting) != getattr(settings, setting)
    ]
    if to_set:
        click.echo(f"Once DNS has it, set {' and '.join(to_set)} and start again.")


@commands.command()
@click.option("--remove", type=int, metavar="MESSAGE", help="Takes this message away, for ever.")
def reported(remove: int | None) -> None:
    """Shows the messages that players have reported; with --remove, takes one away."""
    from service import messages

    with closing(_open()) as site:
        if remove is not None:
            if not messages.remove(site.db, remove):
                raise NotReady("There is no message %(number)s.", number=remove)
            return
        for one in messages.reported(site.db):
            click.echo(f"{one.id}  {site.settings.base_url}/m/{one.match}  {one.name}")
            for line in one.text.split("\n"):
                click.echo(f"    {line}")


def _show_dns() -> None:
    """What has to stand in DNS, one record a line."""
    from service.mail import trial

    settings = _settings()
    if settings.embedded:
        raise NotReady("There is no relay, so no mail leaves this machine and DNS needs nothing.")
    for record in trial.dns(settings):
        click.echo(str(record))


def _try_mail(address: str, language: Language, wait: int) -> None:
    """Sends a turn and, where answers come in, waits for one and says what it would come to. Raises
    NotReady."""
    from service.doctor import of_mail

    began = int(time.time())
    with closing(_open()) as site:
        for finding in of_mail(site.settings, running=True):
            click.echo(str(finding))
        tried = _sent_turn(site, address, language, began)
        click.echo(f"A test turn is on its way to {address}.")
        if not site.settings.answers:
            click.echo("It cannot be answered, since FERNPARTIE_REPLY_TO is not set.")
            return
        click.echo(f"Now answer it with a move, for instance {tried.example}. Waiting …")
        found = _awaited(site, tried, began, wait)
    click.echo(f"An answer came in ({found.way}) from {found.author or 'nobody'}.")
    click.echo(f"Whether its sender is genuine, as our mail server found: {found.proof}.")
    _say_verdict(found)


def _sent_turn(site: Site, address: str, language: Language, now: int) -> Trial:
    """The test turn. Raises NotReady if it is not taken."""
    from service.mail import trial
    from service.mail.transport import Unreachable, chosen

    try:
        tried = trial.send(site, chosen(site.settings), address, language, now)
    except Unreachable as error:
        raise NotReady("The mail was not sent: %(why)s", why=str(error)) from error
    if tried.delivery.state != "sent":
        raise NotReady("The mail was not taken: %(why)s", why=tried.delivery.text)
    return tried


def _awaited(site: Site, tried: Trial, began: int, wait: int) -> Answer:
    """The answer to a test turn. Raises NotReady if none comes."""
    from service.mail import trial

    while not (found := trial.answer(site.settings, site.db, tried, began)):
        if time.time() > began + wait:
            raise NotReady(
                "No answer came in within %(seconds)s seconds. Did the mail arrive, and does its "
                "answer go to %(pattern)s? Where mail is fetched, the worker has to run.",
                seconds=wait,
                pattern=site.settings.answers,
            )
        time.sleep(1)
    return found


def _say_verdict(found: Answer) -> None:
    """Says whether the answer would have been played. Raises NotReady if not."""
    verdict = found.verdict
    if found.nature != "reply":
        raise NotReady("It passes for a machine's (%(nature)s): left alone.", nature=found.nature)
    if verdict.action != "play":
        why = verdict.reason or str(verdict.command)
        raise NotReady("It would not be played: %(what)s, %(why)s.", what=verdict.action, why=why)
    click.echo(f"It would play {verdict.line}. All is well.")


def _own_policy(data: bytes) -> Policy | None:
    """This service's policy, if there is a service here and the log is of it."""
    from service import site
    from service.policy import policy_for

    settings = _settings()
    if not site.has_keys(settings):
        return None
    with closing(site.look(settings)) as here:
        return policy_for(here, data)


def _settings() -> Settings:
    from service import settings

    return settings.load()


def _open() -> Site:
    """The service, open. Raises NotReady. What is not well with it is written to standard error."""
    from service import journal
    from service.site import open_site

    journal.keep(logging.WARNING)
    return open_site(_settings())


if __name__ == "__main__":
    main()
