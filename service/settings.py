"""The settings: `FERNPARTIE_…` in the environment or in systemd's credentials folder."""

from __future__ import annotations

import os
import re
from email.errors import HeaderParseError
from email.headerregistry import Address as Mailbox
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import sqlalchemy as sa
from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from service.errors import BadSettings

PREFIX = "FERNPARTIE_"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Hosts of this machine alone."""

_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f.]*:[0-9a-f:.]+")
"""As pages are asked for it; one of IPv6 without its brackets."""
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")
"""In DNS, of one part or more."""
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_NO_ORIGIN = "is no address like https://games.example.org"
_NO_PATTERN = "is no mail address with a place for a token, like play+{}@games.example.org"
_NO_ADDRESS = "is no mail address like play@games.example.org"


def in_url(host: str) -> str:
    """The host as it stands in an address of a page: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("is no time zone like Europe/Berlin") from error
    return name


def _an_origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(_NO_ORIGIN) from None
    plain = f"{parts.scheme}://{in_url(host)}" + ("" if port is None else f":{port}")
    known = parts.scheme in ("http", "https") and _HOST.fullmatch(host) and port != 0
    if not known or url.lower().removesuffix("/") != plain:
        raise ValueError(_NO_ORIGIN)
    return plain


def _an_address(address: str) -> str:
    """An address as it can stand in a header without quotes."""
    try:
        known = Mailbox(addr_spec=address)
    except (ValueError, IndexError, HeaderParseError):
        raise ValueError(_NO_ADDRESS) from None
    atoms = _ATOMS.fullmatch(known.username) and _ATOMS.fullmatch(known.domain)
    if not atoms or known.addr_spec != address:
        raise ValueError(_NO_ADDRESS)
    return address


def _a_line(text: str) -> str:
    if not text.isprintable() or "=?" in text:
        raise ValueError("must be one line that can be shown")
    return text


def _a_label(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("is no name like fernpartie or 2026.games, in small letters")
    return name


def _a_database(url: SecretStr) -> SecretStr:
    try:
        parts = sa.make_url(url.get_secret_value())
    except sa.exc.ArgumentError:
        raise ValueError("is no address of a database") from None
    memory = parts.database in (None, "", ":memory:")
    if parts.get_backend_name() not in ("sqlite", "postgresql") or memory:
        raise ValueError("must be sqlite:///file or postgresql+psycopg://…")
    return url


def _a_pattern(address: str) -> str:
    """An address with at most one hole before the @ for purpose and token, 28 characters."""
    local, _, domain = address.partition("@")
    if local.count("{}") > 1 or "{}" in domain or len(local.replace("{}", "")) > 36:
        raise ValueError(_NO_PATTERN)
    try:
        _an_address(address.replace("{}", "t.0"))
    except ValueError:
        raise ValueError(_NO_PATTERN) from None
    return address


Port = Annotated[int, Field(ge=1, le=65535)]
Store = Annotated[SecretStr, AfterValidator(_a_database)]
Address = Annotated[str, AfterValidator(_an_address)]
Name = Annotated[str, AfterValidator(_a_label)]


class Settings(BaseSettings):
    """Every setting with its default. A process gets them by `load`, which refuses other names."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )

    data: Path = Path("var")
    host: str = "127.0.0.1"
    port: Port = 8000
    base_url: Annotated[str, AfterValidator(_an_origin)] = ""
    """Where players reach the pages; by default host and port."""
    trusted_proxies: Annotated[int, Field(ge=0, le=9)] = 0
    """How many proxies stand before the pages, each of which adds to X-Forwarded-For from whom it
    has a request."""
    database_url: Store = SecretStr("")
    """By default SQLite in the data folder."""
    signer_url: Store = SecretStr("")
    """The signer's own store; by default SQLite in the data folder."""
    operator_token: SecretStr | None = None
    """Opens the operator's pages without a relay; `serve` makes one for each run."""
    metrics_port: Port | None = None
    """Where the worker answers a monitoring system, on this machine alone."""
    operator: Address | None = None
    """The operator's address: who signs in with it sees the operator's pages, with a relay too."""
    zone: Annotated[str, AfterValidator(_known_zone)] = "Europe/Berlin"
    """The time zone of players who have not chosen one."""
    vacation_days: Annotated[int, Field(ge=0, le=366)] = 28
    """How many days a year the clocks of a player may rest."""
    mail_from: Address = "play@localhost"
    mail_name: Annotated[str, AfterValidator(_a_line)] = "Fernpartie"
    mail_envelope: Literal["fixed", "verp"] = "fixed"
    """The sender that relays see, to which mails come back: `mail_from`, or for each mail
    an address of its own, made after `reply_to`."""
    null_sender: Literal["auto", "never"] = "auto"
    """Whether what answers a mail has no sender on its envelope, so that nothing answers it: `auto`
    unless the relay refuses that."""
    smtp_host: str | None = None
    """The mail relay; without one, mail goes to a Maildir in the data folder."""
    smtp_port: Port = 587
    smtp_tls: Literal["starttls", "implicit", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_hello: str | None = None
    """The public name of this machine, said to the relay."""
    smtp_rate: Annotated[int, Field(ge=0)] | None = None
    """Mails a minute that the relay gets, 0 for as many as there are; by default 60, and any number
    where the relay is on this machine and paces itself."""
    smtp_domain_rate: Annotated[int, Field(ge=0)] = 20
    """Of these, those to one domain of readers; 0 for all."""
    dkim_selector: Name | None = None
    """The name in DNS of the key that mails are signed with; unset, none is signed here."""
    dkim_key: Path = Path()
    """The file of that key; by default `keys/dkim.key` in the data folder."""
    dkim_domain: Name | None = None
    """The domain that signs; by default that of `mail_from`."""

    reply_to: Annotated[str, AfterValidator(_a_pattern)] | None = None
    """The address for answers, with {} for whose answer it is, or without, if its provider knows
    one address only; unset, and with a relay, mails cannot be answered."""
    authserv_id: str = ""
    """The name under which our own mail server notes whether a sender is genuine."""
    check_dkim: bool = False
    """Whether signatures of mails that come in are checked where our mail server says nothing; the
    keys for that are asked of DNS."""
    strict_senders: bool = False
    """Whether an answer counts only if its sender is proved."""
    imap_host: str | None = None
    """Where the mailbox for answers is, to be looked into every minute."""
    imap_port: Port = 993
    imap_tls: Literal["implicit", "starttls", "none"] = "implicit"
    imap_user: str | None = None
    imap_password: SecretStr | None = None
    imap_folder: Annotated[str, AfterValidator(_a_line)] = "INBOX"
    lmtp_port: Port | None = None
    """Where our own mail server hands over answers, on this machine alone."""
    hook_secret: SecretStr | None = None
    """What a provider signs mails with that it posts to the page /mail."""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, given: dict[str, object]) -> dict[str, object]:
        data = Path(str(given.get("data", "var"))).absolute()
        host, port = str(given.get("host", "127.0.0.1")), given.get("port", 8000)
        return {
            "base_url": f"http://{in_url(host)}:{port}",
            "database_url": f"sqlite:///{data}/fernpartie.db",
            "signer_url": f"sqlite:///{data}/signer.db",
            "dkim_key": data / "keys" / "dkim.key",
            **given,
            "data": data,
        }

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.smtp_host and self.mail_from.endswith("@localhost"):
            raise ValueError("FERNPARTIE_MAIL_FROM must be set when there is a relay")
        if (self.smtp_user is None) != (self.smtp_password is None):
            raise ValueError("FERNPARTIE_SMTP_USER and FERNPARTIE_SMTP_PASSWORD go together")
        if self.mail_envelope == "verp" and "{}" not in self.answers:
            raise ValueError("FERNPARTIE_REPLY_TO must have {} for FERNPARTIE_MAIL_ENVELOPE=verp")
        if not f".{self.mail_domain}".endswith(f".{self.signing_domain}"):
            raise ValueError("FERNPARTIE_DKIM_DOMAIN must be that of FERNPARTIE_MAIL_FROM or above")
        if (self.imap_host is None) != (self.imap_user is None):
            raise ValueError("FERNPARTIE_IMAP_HOST and FERNPARTIE_IMAP_USER go together")
        if (self.imap_host or self.lmtp_port or self.hook_secret) and not self.answers:
            raise ValueError("FERNPARTIE_REPLY_TO must be set where answers come in")
        if urlsplit(self.database_url.get_secret_value()) == urlsplit(
            self.signer_url.get_secret_value()
        ):
            raise ValueError("FERNPARTIE_SIGNER_URL must name a database of its own")
        return self

    @property
    def secure(self) -> bool:
        """Whether the pages are reached over TLS."""
        return self.base_url.startswith("https://")

    @property
    def embedded(self) -> bool:
        """Whether mail stays on this machine, for the operator to read."""
        return self.smtp_host is None

    @property
    def mails_a_minute(self) -> int:
        """How many mails the relay gets in a minute; 0 for as many as there are."""
        if self.smtp_rate is None:
            return 0 if self.smtp_host in (None, *LOOPBACK) else 60
        return 0 if self.embedded else self.smtp_rate

    @property
    def answers(self) -> str:
        """The address for answers, with a hole; "" if mails cannot be answered."""
        name, _, domain = self.mail_from.partition("@")
        return self.reply_to or (f"{name}+{{}}@{domain}" if self.embedded else "")

    @property
    def fetches(self) -> bool:
        """Whether mails that come in are fetched, by looking from time to time."""
        return self.embedded or self.imap_host is not None

    @property
    def listens(self) -> bool:
        """Whether a mail server brings them to the worker, and nothing is fetched."""
        return self.lmtp_port is not None and not self.fetches

    @property
    def mail_domain(self) -> str:
        return self.mail_from.rpartition("@")[2]

    @property
    def signing_domain(self) -> str:
        return self.dkim_domain or self.mail_domain

    @property
    def mail_sender(self) -> tuple[str, str]:
        """Address and name in From of our mails, as whoever quotes one names its writer."""
        return self.mail_from, self.mail_name


def load() -> Settings:
    """The settings of this process. Raises BadSettings with a sentence that names the setting."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    names = [*os.environ, *(os.listdir(folder) if folder else ())]
    for name in names:
        if name.upper().startswith(PREFIX) and not _known(name):
            raise BadSettings("There is no setting %(name)s.", name=name)
    try:
        return Settings(_secrets_dir=folder)
    except ValidationError as error:
        raise BadSettings("%(faults)s.", faults=_faults(error)) from None


def database_url(text: str) -> str:
    """The address of a database. Raises BadSettings."""
    try:
        return _a_database(SecretStr(text)).get_secret_value()
    except ValueError as error:
        raise BadSettings("The address of the database %(why)s.", why=str(error)) from None


def _known(name: str) -> bool:
    return name.upper().removeprefix(PREFIX).lower() in Settings.model_fields


def _faults(error: ValidationError) -> str:
    """One clause for each fault; never the value, which may be a password."""
    faults = []
    for fault in error.errors(include_input=False, include_url=False, include_context=False):
        name = "".join(PREFIX + str(part).upper() + ": " for part in fault["loc"][:1])
        faults.append(name + fault["msg"].removeprefix("Value error, "))
    return "; ".join(faults)
