"""Headers on the wire: seven bits, short lines, and the same words at the other end."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.mail.wire import TOKENS, WIRE, folded

ID = "<" + "a" * 120 + "@mail.example.org>"
URL = "<https://games.example.org/u/" + "x" * 200 + ">"
names = st.text(
    st.one_of(
        st.sampled_from(' ,;:"<>()[]@\\.=?äöüßéñ–漢字😀'),
        st.characters(min_codepoint=33, max_codepoint=126),
    ),
    min_size=1,
    max_size=80,
).filter(lambda name: name == name.strip())


def mail(**headers: object) -> EmailMessage:
    message = EmailMessage(policy=WIRE)
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content("x", cte="quoted-printable")
    return message


def decoded(value: str) -> str:
    return str(make_header(decode_header(value)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("References", f"{ID} {ID} {ID}"),
        ("In-Reply-To", ID),
        ("Message-ID", ID),
        ("List-Id", "<7f3k.matches.games.example.org>"),
        ("List-Unsubscribe", f"{URL}, <mailto:play+u.abc@example.org>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "OOF, AutoReply, RN, NRN"),
    ],
)
def test_ids_and_addresses_of_pages_are_never_encoded(name: str, value: str) -> None:
    raw = mail(**{name.replace("-", "_"): value}).as_bytes()

    assert b"=?" not in raw
    assert message_from_bytes(raw, policy=default)[name] == value
    assert " ".join(message_from_bytes(raw)[name].split()) == value


def test_long_references_are_folded_between_ids() -> None:
    lines = mail(References=f"{ID} {ID} {ID}").as_bytes().split(b"\r\n")

    assert lines[:3] == [f"References: {ID}".encode(), f" {ID}".encode(), f" {ID}".encode()]


def test_a_token_that_fits_on_no_line_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        mail(In_Reply_To="<" + "a" * 1000 + "@example.org>").as_bytes()


@pytest.mark.parametrize("name", sorted(TOKENS))
def test_a_header_of_tokens_refuses_other_letters(name: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        mail(**{name.replace("-", "_"): "<ä@example.org>"}).as_bytes()


@pytest.mark.parametrize("name", ["To", "Subject", "References"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_newline_is_refused(name: str, end: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        mail(**{name: f"a{end}Bcc: eve@example.org"}).as_bytes()


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_newline_in_a_name_is_refused(end: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Address(f"Eve{end}Bcc: eve@example.org", addr_spec="eve@example.org")


@given(names)
def test_any_name_arrives_as_it_was(name: str) -> None:
    raw = mail(To=Address(name, addr_spec="anna@example.org")).as_bytes()

    arrived, address = parseaddr(message_from_bytes(raw)["To"])
    assert (decoded(arrived), address) == (name, "anna@example.org")
    assert len(message_from_bytes(raw, policy=default)["To"].addresses) == 1


@given(names)
def test_any_subject_arrives_as_it_was(name: str) -> None:
    subject = f"[7F3K] Malawi: {name}"
    raw = mail(Subject=subject).as_bytes()

    assert decoded(message_from_bytes(raw)["Subject"]) == subject
    assert message_from_bytes(raw, policy=default)["Subject"] == subject


@pytest.mark.parametrize(
    "name",
    [
        "=?utf-7?q?+2AA-?=",
        "=?unicode_escape?q?=5Cud800?=",
        "=?utf-8?q?=0d=0aBcc:_eve@example.org?=",
        "a =?utf-8?q?=E2=80=AE?= b",
        "=?utf-8?b?8J+Y?= =?utf-8?b?gA==?=",
        "=?",
    ],
)
def test_what_looks_like_an_encoded_word_is_not_decoded(name: str) -> None:
    message = mail(To=Address(name, addr_spec="anna@example.org"), Subject=f"Malawi: {name}")
    arrived = message_from_bytes(message.as_bytes())

    assert decoded(arrived["Subject"]) == f"Malawi: {name}" == message["Subject"]
    assert decoded(parseaddr(arrived["To"])[0]) == name
    assert sorted(arrived.keys()) == sorted(message.keys())


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_newline_behind_an_encoded_word_is_refused(end: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        mail(Subject=f"=?utf-8?q?a?={end}Bcc: eve@example.org").as_bytes()


@given(names)
def test_headers_keep_the_limits_of_rfc_2047(name: str) -> None:
    head = mail(To=Address(name, addr_spec="anna@example.org"), Subject=name).as_bytes()

    assert head.isascii()
    for line in head.decode().split("\r\n"):
        assert len(line) <= 76
        assert all(len(word) <= 75 for word in re.findall(r"=\?.*?\?=", line))


def test_several_addresses_stay_several() -> None:
    people = (
        Address("Weiß, Anna", addr_spec="anna@example.org"),
        Address("", addr_spec="ben@example.org"),
        Address('Carla "C" D', addr_spec="carla@example.org"),
    )
    raw = mail(To=people).as_bytes()

    assert message_from_bytes(raw, policy=default)["To"].addresses == people


def test_a_header_is_filled_before_it_is_folded() -> None:
    assert folded("References", ["<a@b>", "<c@d>"]) == "References: <a@b> <c@d>\r\n"
