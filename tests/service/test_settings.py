"""Settings: what is mistyped or cannot be used is a sentence at the start that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.errors import BadSettings
from service.settings import Settings, load

BAD = {
    "FERNPARTIE_PROT": "8000",
    "FERNPARTIE_PORT": "eighty",
    "fernpartie_prot": "1",
    "FERNPARTIE_SMTP_PORT": "0",
    "FERNPARTIE_SMTP_TLS": "maybe",
    "FERNPARTIE_BASE_URL": "tisch.example.net",
    "FERNPARTIE_ZONE": "Europe/Atlantis",
    "FERNPARTIE_MAIL_FROM": "spiel",
    "FERNPARTIE_DATABASE_URL": "mysql://root:hunter2@db/x",
    "FERNPARTIE_SIGNER_URL": "sqlite:///:memory:",
}


def test_without_any_setting_it_is_an_embedded_service() -> None:
    settings = load()
    assert settings.base_url == "http://127.0.0.1:8000"
    assert settings.data == Path("var").absolute()
    assert settings.embedded
    assert not settings.secure


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("games.lan", "http://games.lan:8000"),
    ],
)
def test_the_pages_are_where_they_listen(host: str, url: str) -> None:
    assert Settings(host=host).base_url == url


@pytest.mark.parametrize("name", BAD)
def test_a_bad_setting_is_named_and_its_value_is_not(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, BAD[name])
    with pytest.raises(BadSettings) as said:
        load()
    assert name.upper() in str(said.value).upper()
    assert BAD[name] not in str(said.value)
    assert str(said.value).endswith(".")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("BASE_URL", url)
            for url in (
                "http://a b",
                "http://x?q=1#y",
                "http://x?",
                "http://x#",
                "http://u:p@x",
                "http://@x",
                "http://x:99999",
                "http://x:0",
                "http://x:",
                "http://x:a",
                "http://x/games",
                "http://",
                "ftp://x",
                "http://[::1",
                "http://a..b",
                "http://ä.example",
            )
        ),
        *(
            ("MAIL_FROM", address)
            for address in (
                "a..b@x.test",
                "a@b@x.test",
                "(a)@x.test",
                ".a@x.test",
                "a.@x.test",
                "a@x..test",
                "@x.test",
                "a@",
                "a b@x.test",
                '"a b"@x.test',
                "a@[::1]",
                "ä@x.test",
                "a@x.test, b@y",
                "A <a@x.test>",
            )
        ),
        *(("DKIM_SELECTOR", name) for name in ("S1", "a b", "-a", "a..b", "a._domainkey.", "ä")),
        ("MAIL_NAME", "Fern\npartie"),
        ("MAIL_NAME", "=?utf-7?q?+2AA-?="),
    ],
)
def test_what_would_break_later_is_refused_at_the_start(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FERNPARTIE_" + name, value)
    with pytest.raises(BadSettings, match="FERNPARTIE_" + name):
        load()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://games.example.org/", "https://games.example.org"),
        ("HTTPS://Games.Example.org", "https://games.example.org"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://fern_partie:1", "http://fern_partie:1"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(given: str, kept: str) -> None:
    assert Settings(base_url=given).base_url == kept


@pytest.mark.parametrize("address", ["play+m@games.example.org", "o'neill.x@x", "play@localhost"])
def test_an_address_that_needs_no_quotes_will_do(address: str) -> None:
    assert Settings(mail_from=address).mail_from == address


@pytest.mark.parametrize(
    "together",
    [
        {"SMTP_HOST": "relay.example.org"},
        {"SMTP_USER": "me"},
        {"MAIL_FROM": "play@games.example.org", "DKIM_DOMAIN": "example.net"},
        {"MAIL_FROM": "play@games.example.org", "DKIM_DOMAIN": "ames.example.org"},
        {"SMTP_PASSWORD": "hunter2"},
        {"SIGNER_URL": "sqlite:////tmp/a.db", "DATABASE_URL": "sqlite:////tmp/a.db"},
    ],
)
def test_settings_that_do_not_go_together_are_named(
    together: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in together.items():
        monkeypatch.setenv("FERNPARTIE_" + name, value)
    with pytest.raises(BadSettings, match="FERNPARTIE_") as said:
        load()
    assert "hunter2" not in str(said.value)


def test_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FERNPARTIE_PORT", "")
    assert load().port == 8000


def test_a_secret_may_come_from_the_credentials_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fernpartie_smtp_password").write_text("hunter2\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("FERNPARTIE_SMTP_USER", "me")
    settings = load()
    assert settings.smtp_password is not None
    assert settings.smtp_password.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(settings)
    (tmp_path / "fernpartie_smtp_pasword").write_text("x")
    with pytest.raises(BadSettings, match="fernpartie_smtp_pasword"):
        load()


@pytest.mark.parametrize("domain", ["games.example.org", "example.org", None])
def test_mails_are_signed_for_their_domain_or_one_above(domain: str | None) -> None:
    settings = Settings(mail_from="play@games.example.org", dkim_domain=domain)
    assert settings.signing_domain == (domain or "games.example.org")
    assert settings.dkim_key == Path("var").absolute() / "keys" / "dkim.key"


def test_a_relay_is_set_up_with_an_address_of_its_own() -> None:
    settings = Settings(smtp_host="relay.example.org", mail_from="play@games.example.org")
    assert not settings.embedded
    assert settings.mail_domain == "games.example.org"
