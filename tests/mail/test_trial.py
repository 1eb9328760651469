"""Mail tried out by the operator: the dialogue with the relay, DNS, a mail and its answer."""

from __future__ import annotations

from service import inbox
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


def test_an_answer_to_the_trial_mail_is_found(site: Site) -> None:
    recorder = Recorder()
    tried = trial.send(site.settings, recorder, "anna@example.org", "de", NOON)
    assert tried.delivery.state == "sent"
    mail = read(recorder.mails[-1][2])
    assert "Sie ist angekommen" in text_of(mail).replace("\n", " ")
    assert not trial.answered(site.db, tried.token, NOON)

    back = str(mail["Reply-To"].addresses[0].addr_spec)
    raw = f"From: anna@example.org\nTo: {back.upper()}\n\nhello\n".encode()
    inbox.store(site.db, Arrival("trial", raw, NOON + 5, "", ""))
    assert trial.answered(site.db, tried.token, NOON)
    assert not trial.answered(site.db, tried.token, NOON + 6)
