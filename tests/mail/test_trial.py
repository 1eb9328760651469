"""Mail tried out by the operator: the dialogue with the relay, DNS, a mail and its answer."""

from __future__ import annotations

from service import inbox, worker
from service.inbox import Arrival
from service.mail import trial
from service.mail.transport import Relay, Smtp
from service.settings import Settings
from service.site import Site
from tests.mail.play import DOMAIN, NOON, read, text_of
from tests.mail.recorder import Recorder
from tests.mail.relay import Desk, listening

OURS = f"play@{DOMAIN}"


def test_the_dialogue_goes_as_far_as_the_recipient_and_sends_nothing() -> None:
    desk = Desk(answers={"RCPT": ["550 5.7.1 relaying denied"]})
    with listening(desk) as port:
        way = Smtp(Relay("127.0.0.1", port, DOMAIN, tls="none"))
        refusal = way.ask(OURS, OURS)
        assert refusal is not None
        assert "relaying denied" in refusal.text
        assert way.ask(OURS, OURS) is None
    assert desk.mails == []


def test_dns_needs_what_receivers_look_for() -> None:
    settings = Settings(
        base_url=f"https://{DOMAIN}",
        mail_from=OURS,
        smtp_host="relay.example.org",
        reply_to=f"play+{{}}@in.{DOMAIN}",
    )
    records = {(record.name, record.type): record.value for record in trial.dns(settings)}
    assert records[DOMAIN, "TXT"] == "v=spf1 a:relay.example.org ~all"
    assert records[f"_dmarc.{DOMAIN}", "TXT"].startswith("v=DMARC1")
    assert (f"in.{DOMAIN}", "MX") in records


def test_an_answer_to_a_test_turn_is_found_and_judged(site: Site) -> None:
    """The turn is as its player would get it; what the answer comes to is said, not done."""
    recorder = Recorder()
    tried = trial.send(site, recorder, "anna@example.org", "de", NOON)
    assert tried.delivery.state == "sent"
    mail = read(recorder.mails[-1][2])
    assert "Du bist dran, Ada" in text_of(mail)
    assert "head ist unsere" not in text_of(mail)
    assert [part.get_content_type() for part in mail.walk()].count("image/png") == 1
    assert trial.answer(site.settings, site.db, tried, NOON) is None

    back = str(mail["Reply-To"].addresses[0].addr_spec)
    for author, typed, action in (
        ("anna@example.org", tried.example, "play"),
        ("anna@example.org", "hello", "answer"),
        ("friend@example.net", tried.example, "hold"),
    ):
        raw = f"From: {author}\nTo: {back.upper()}\n\n{typed}\n".encode()
        inbox.store(site.db, Arrival(f"imap:{action}", raw, NOON + 5, "", ""))
        found = trial.answer(site.settings, site.db, tried, NOON)
        assert found is not None
        assert (found.way, found.nature, found.verdict.action) == ("imap", "reply", action)
    assert trial.answer(site.settings, site.db, tried, NOON + 6) is None
    while worker.receive(site, recorder, NOON + 10):
        pass
    assert len(recorder.mails) == 1
