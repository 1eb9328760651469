"""The mailboxes on disk, as the worker fills them and a page reads them."""

from __future__ import annotations

import mailbox as standard
import stat
from email.message import EmailMessage
from pathlib import Path

import pytest

from service.mail import mailbox
from service.mail.wire import WIRE


def mail(number: int = 1, date: str = "Sun, 29 Nov 2026 12:00:00 +0000") -> bytes:
    message = EmailMessage(policy=WIRE)
    message["From"] = "Fernpartie <play@example.org>"
    message["Subject"] = f"Mühle {number}"
    message["Date"] = date
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content("Dein Zug\n", cte="quoted-printable")
    message.add_alternative("<p>Dein Zug</p>\n", subtype="html", cte="quoted-printable")
    message.set_boundary("=_1")
    message.make_mixed("=_2")
    note = "m_X\n— note\n".encode()
    message.add_attachment(
        note, maintype="text", subtype="plain", cte="base64", filename="m_X-3.head"
    )
    return message.as_bytes()


def test_a_mail_delivered_twice_is_there_once(tmp_path: Path) -> None:
    first = mailbox.put(tmp_path, "anna@example.org", mail())

    assert mailbox.put(tmp_path, "Anna@Example.org", mail()) == first
    assert len(mailbox.entries(tmp_path, "anna@example.org")) == 1


def test_a_mail_that_was_read_elsewhere_is_not_delivered_again(tmp_path: Path) -> None:
    key = mailbox.put(tmp_path, "anna@example.org", mail())
    (file,) = tmp_path.glob("*/new/*")
    seen = file.parent.parent / "cur" / (key + ":2,S")
    file.rename(seen)

    mailbox.put(tmp_path, "anna@example.org", mail())

    (entry,) = mailbox.entries(tmp_path, "anna@example.org")
    assert entry.key == seen.name
    assert mailbox.read(tmp_path, "anna@example.org", entry.key).text == "Dein Zug\n"


def test_each_address_has_a_maildir_that_any_reader_opens(tmp_path: Path) -> None:
    mailbox.put(tmp_path, "anna@example.org", mail(1))
    mailbox.put(tmp_path, "Ben@example.org", mail(2))

    assert mailbox.addresses(tmp_path) == ("Ben@example.org", "anna@example.org")
    for folder in tmp_path.iterdir():
        assert len(standard.Maildir(folder, create=False)) == 1


def test_an_empty_folder_becomes_a_mailbox(tmp_path: Path) -> None:
    mailbox.put(tmp_path, "anna@example.org", mail(1))
    (box,) = tmp_path.iterdir()
    for name in ("new", "cur", "tmp"):
        for file in (box / name).iterdir():
            file.unlink()
        (box / name).rmdir()

    mailbox.put(tmp_path, "anna@example.org", mail(2))

    assert {path.name for path in box.iterdir()} == {"new", "cur", "tmp", "address"}


def test_only_the_owner_of_the_service_may_look_in(tmp_path: Path) -> None:
    root = tmp_path / "mail" / "outbox"
    mailbox.put(root, "anna@example.org", mail())

    for path in [root, *root.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_the_newest_mail_comes_first(tmp_path: Path) -> None:
    for number, hour in ((1, 12), (2, 14), (3, 13)):
        date = f"Sun, 29 Nov 2026 {hour}:00:00 +0000"
        mailbox.put(tmp_path, "anna@example.org", mail(number, date))

    subjects = [entry.subject for entry in mailbox.entries(tmp_path, "anna@example.org")]
    assert subjects == ["Mühle 2", "Mühle 3", "Mühle 1"]


def test_a_letter_is_taken_apart(tmp_path: Path) -> None:
    key = mailbox.put(tmp_path, "anna@example.org", mail())

    letter = mailbox.read(tmp_path, "anna@example.org", key)

    assert letter.text == "Dein Zug\n"
    assert letter.html == "<p>Dein Zug</p>\n"
    assert letter.raw == mail()
    assert dict(letter.headers)["Subject"] == letter.entry.subject == "Mühle 1"
    (note,) = letter.attachments
    assert (note.name, note.type) == ("m_X-3.head", "text/plain")
    assert note.data == "m_X\n— note\n".encode()


@pytest.mark.parametrize(
    "key",
    ["", "..", "../address", "1.2.fernpartie", "/etc/passwd", "0." + "0" * 32 + ".fernpartie"],
)
def test_a_key_that_is_not_there_finds_nothing(tmp_path: Path, key: str) -> None:
    mailbox.put(tmp_path, "anna@example.org", mail())

    with pytest.raises(LookupError):
        mailbox.read(tmp_path, "anna@example.org", key)


def test_a_mailbox_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert mailbox.addresses(tmp_path) == ()
    assert mailbox.entries(tmp_path, "nobody@example.org") == ()
