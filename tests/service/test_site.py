"""A service is set up once, keeps its keys, and starts only with them."""

from __future__ import annotations

import logging
import shutil
import stat
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from service import keys, links
from service.db import guards
from service.errors import NotReady
from service.settings import Settings
from service.site import Site, init, key_folder, open_site
from tests.service.conftest import ON_SQLITE
from tests.service.table import move, started


def contents(settings: Settings) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in key_folder(settings).iterdir()}


def test_setting_up_again_changes_no_key(settings: Settings) -> None:
    init(settings, "games.example.org")
    kept = contents(settings)
    init(settings)
    init(settings, "games.example.org")
    assert contents(settings) == kept
    with closing(open_site(settings)) as site:
        assert site.name == "games.example.org"
        assert site.keys.heads.name == "games.example.org/heads"
        assert site.keys.log.name == "games.example.org/log"


def test_the_name_is_for_ever(settings: Settings) -> None:
    init(settings)
    with pytest.raises(NotReady, match="localhost"):
        init(settings, "games.example.org")


@pytest.mark.parametrize("name", ["two words", "a+b"])
def test_a_name_that_no_key_can_have_is_refused(settings: Settings, name: str) -> None:
    with pytest.raises(NotReady):
        init(settings, name)
    init(settings, "good")
    with closing(open_site(settings)) as site:
        assert site.name == "good"


@ON_SQLITE
def test_keys_and_folder_are_for_their_owner_alone(settings: Settings) -> None:
    init(settings)
    folders = (settings.data, key_folder(settings))
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    modes = {stat.S_IMODE(file.stat().st_mode) for file in key_folder(settings).iterdir()}
    assert modes == {0o600}
    assert sorted(contents(settings)) == [
        "cookie.key",
        "heads.key",
        "link.key",
        "log.key",
        "secret.key",
    ]


@pytest.mark.parametrize("name", ["heads.key", "log.key", "link.key", "secret.key"])
def test_a_missing_key_stops_the_start_and_is_not_made_anew(settings: Settings, name: str) -> None:
    init(settings)
    (key_folder(settings) / name).unlink()
    for attempt in (open_site, init):
        with pytest.raises(NotReady, match=name):
            attempt(settings)
    assert name not in contents(settings)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("heads.key", "The head key is not the one"),
        ("log.key", "The log key is not the one"),
        ("link.key", "The link key is not the one"),
        ("secret.key", "The secret key is not the one"),
    ],
)
def test_another_key_stops_the_start(settings: Settings, name: str, said: str) -> None:
    init(settings)
    file = key_folder(settings) / name
    file.unlink()
    keys.make(key_folder(settings), "localhost")
    with pytest.raises(NotReady, match=said):
        open_site(settings)


@ON_SQLITE
@pytest.mark.parametrize("text", ["", "nonsense", "00", "ff" * 33])
def test_a_file_that_holds_no_key_stops_the_start(settings: Settings, text: str) -> None:
    init(settings)
    for name in contents(settings):
        file = key_folder(settings) / name
        kept = file.read_text()
        file.write_text(text)
        with pytest.raises(NotReady, match=name):
            open_site(settings)
        file.write_text(kept)


@ON_SQLITE
def test_the_cookie_key_alone_may_be_made_anew(settings: Settings) -> None:
    init(settings)
    (key_folder(settings) / "cookie.key").unlink()
    with pytest.raises(NotReady, match=r"cookie\.key"):
        open_site(settings)
    init(settings)
    open_site(settings).close()


def test_what_is_not_set_up_does_not_start(settings: Settings) -> None:
    with pytest.raises(NotReady, match="fernpartie init"):
        open_site(settings)
    settings.data.mkdir()
    key_folder(settings).mkdir()
    with pytest.raises(NotReady, match="fernpartie init"):
        open_site(settings)


@ON_SQLITE
@pytest.mark.parametrize("data", ["/etc/hostname", "/dev/null/x", "/proc/x"])
def test_a_folder_that_cannot_be_is_said_in_a_sentence(settings: Settings, data: str) -> None:
    with pytest.raises(NotReady, match=f"The folder {data} cannot be used: .* FERNPARTIE_DATA"):
        init(Settings(data=Path(data)))
    with pytest.raises(NotReady, match=data):
        open_site(Settings(data=Path(data)))


def test_without_its_keys_a_service_is_not_set_up_again(settings: Settings) -> None:
    init(settings)
    shutil.rmtree(key_folder(settings))
    with pytest.raises(NotReady, match="Bring back the key folder"):
        init(settings)
    assert not key_folder(settings).exists()


def test_setting_up_puts_triggers_back(settings: Settings) -> None:
    init(settings)
    drop_triggers(settings.database_url, "record")
    drop_triggers(settings.signer_url, "head")
    with pytest.raises(NotReady, match="triggers"):
        open_site(settings)
    init(settings)
    open_site(settings).close()


def drop_triggers(url: SecretStr, table: str) -> None:
    engine = sa.create_engine(url.get_secret_value())
    lite = engine.dialect.name == "sqlite"
    with engine.begin() as conn:
        for name in guards(table, lite=lite):
            conn.exec_driver_sql(f"DROP TRIGGER {name}" + ("" if lite else f" ON {table}"))
    engine.dispose()


def test_a_lost_store_of_the_signer_is_not_replaced(settings: Settings) -> None:
    init(settings)
    with closing(open_site(settings)) as site:
        started(site)
    drop_tables(settings.signer_url)
    for attempt in (open_site, init, open_site):
        with pytest.raises(NotReady, match="signer's store is missing"):
            attempt(settings)


def test_a_lost_database_is_not_begun_anew(settings: Settings) -> None:
    init(settings)
    with closing(open_site(settings)) as site:
        started(site)
    drop_tables(settings.database_url)
    for _ in range(2):
        with pytest.raises(NotReady, match="Bring back the database"):
            init(settings)


def drop_tables(url: SecretStr) -> None:
    """Empties a database, as if its file had been lost."""
    found, engine = sa.MetaData(), sa.create_engine(url.get_secret_value())
    with engine.begin() as conn:
        found.reflect(conn)
        found.drop_all(conn)
    engine.dispose()


def test_a_secret_of_chance_opens_for_its_match_alone(site: Site) -> None:
    sealed = site.keys.seal("m_1", b"s" * 32)
    assert site.keys.unseal("m_1", sealed) == b"s" * 32
    assert site.keys.seal("m_1", b"s" * 32) != sealed
    for match, text in (("m_2", sealed), ("m_1", sealed[:-1] + b"x"), ("m_1", b"")):
        with pytest.raises(NotReady):
            site.keys.unseal(match, text)


def test_secrets_show_in_no_text_and_no_log(
    site: Site, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[str] = []
    genuine = links.token
    with caplog.at_level(logging.DEBUG), pytest.MonkeyPatch.context() as patch:
        patch.setattr(links, "token", lambda *args: made.append(genuine(*args)) or made[-1])
        match = started(site)
        move(site, match)
    secrets = [site.keys.link.hex(), site.keys.cookie.hex(), site.keys.secret.hex()]
    secrets += [site.keys.heads.private, site.keys.log.private, site.keys.heads.seed.hex(), *made]
    said = caplog.text + repr(site) + str(capsys.readouterr())
    assert made
    assert [secret for secret in secrets if secret in said] == []
