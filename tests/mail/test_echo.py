"""Nothing that we have written can be taken for a move, however it comes back."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import product

import pytest

from games.core.drawing import LANGUAGES, Reader
from games.core.rules import BYSTANDER, Viewer
from games.log.record import Move
from games.position import Position
from games.registry import drawing, games, newest
from games.verify import audit, positions, read
from service import matches, play, tale, worker
from service.mail import paper
from service.mail.compose import words
from service.mail.inbound import grammar
from service.mail.inbound.cutter import ours
from service.mail.inbound.markup import lines_of
from service.mail.inbound.verdict import Asked
from service.site import Site
from tests.log.forge import GOLDEN
from tests.mail.conftest import Sent
from tests.mail.inbound import clients
from tests.mail.inbound.letters import Part, html, plain, quoted
from tests.mail.inbound.original import PLAYER, Original
from tests.mail.inbound.players import Players
from tests.mail.play import Table
from tests.mail.play import read as read_mail

NAMES = ("Anna", "Björn", "Carla", "Dmitri", "Eva", "Friedrich")
QUOTES = ("", "> ", ">")
EVERY = 9
"""Of the positions of a match, one in so many is looked at."""


def told(game: str) -> Iterator[str]:
    """Boards and sentences of a match as mails tell them, to everybody who could read them."""
    log = read((GOLDEN / f"{game}.mlog").read_bytes())
    steps = list(positions(log, audit(log.records).hidden, signatures=False))
    for (_, before), (record, after) in zip(steps[::EVERY], steps[1::EVERY], strict=False):
        if after.state is None:
            continue
        for language in LANGUAGES:
            for viewer in (1, BYSTANDER):
                reader = Reader(language, NAMES[: after.opened.seats], viewer)
                yield board(after, viewer, reader)
                if isinstance(record.body, Move) and before.state is not None:
                    yield tale.tell(record, before, after, reader)


def board(position: Position, viewer: Viewer, reader: Reader) -> str:
    return drawing(position.opened.game).text(tale.view(position, viewer), reader)


@pytest.mark.parametrize("game", games())
def test_no_line_is_a_move_or_a_command(game: str) -> None:
    for text in told(game):
        wrapped = [part for line in text.split("\n") for part in textwrap.wrap(line, 60)]
        for line in {*paper.filled(text).split("\n"), *text.split("\n"), *wrapped}:
            for quote in QUOTES:
                said = (quote + line).strip()
                for other in games():
                    assert grammar.turn(newest(other), said) is None, said
                    closed = grammar.turn(newest(other), " ".join(said.split()))
                    assert closed is None or closed.fault, said
                assert grammar.command(said, "7F3K") is None, said


def bodies(sent: Original) -> Iterator[Part]:
    """Our mail and nothing else, as an answer brings it."""
    blocks = sent.text.split("\n\n")
    yield plain(sent.text)
    yield plain(quoted(sent.text))
    yield plain("\n\n".join(textwrap.fill(block, 60) for block in blocks))
    yield html(sent.sheet)
    yield clients.gmail(sent, "")


def silent(raw: bytes, game: str, code: str) -> None:
    """Nothing of the mail is taken for a turn of the game, whoever may play what."""
    asked = Asked(newest(game), code, 1, frozenset({PLAYER}), ours=ours([words(raw)]))
    sent = Original(read_mail(raw), raw, asked)
    for line in (*sent.text.split("\n"), *lines_of(sent.html)):
        assert grammar.turn(asked.rules, line.strip()) is None, line
    for body in bodies(sent):
        found = sent.judge(sent.reply(body).bytes())
        assert (found.action, found.reason, found.line) == ("answer", "none", "")


def test_no_kind_of_mail_sent_back_is_a_turn(mails: list[Sent]) -> None:
    for sent in {(sent.kind, sent.row.about.game): sent for sent in mails}.values():
        own = sent.row.about.game
        for game in (own,) if own else games():
            silent(sent.raw, game, sent.row.about.code)


@pytest.mark.parametrize("game", games())
def test_no_mail_of_a_match_sent_back_is_a_turn_of_it(site: Site, game: str) -> None:
    """Whatever its players are told in the course of it, in either language."""
    players = correspondence(site, game)
    seen = {}
    for _, _, raw in players.table.recorder.mails:
        row = players.table.row_of(str(read_mail(raw)["Message-ID"])[1:33])
        seen[row.kind, row.language] = raw, row.about.code
    for raw, code in seen.values():
        silent(raw, game, code)
    told = ("turn", "ack", "answer", "reminder", "hold", "news", "result")
    assert {kind for kind, _ in seen} >= set(told)
    assert seen.keys() >= set(product(("turn", "answer", "result"), LANGUAGES))


def correspondence(site: Site, game: str) -> Players:
    """A match by mail, in which not all goes smoothly, between readers of both languages."""
    table = Table(site, game=game, clock="12d")
    players = Players(table)
    table.ask()
    table.confirm()
    table.language = "en"  # of whoever joins
    table.join()
    players.post()
    asked = set[int]()
    while len(asked) < 2:
        if players.mover() not in asked:
            players.answer("HILFE")  # which names moves
        asked.add(players.mover())
        assert players.answer(players.legal()[0]) == "play"
    stranger = players.letter(players.legal()[0], players.last(players.mover()))
    players.bring(stranger.having(**{"from": "f@example.net"}))
    table.now += 6 * 86_400
    worker.remind(site, table.recorder, table.now)
    for act in ("offer-draw", "resign"):
        with site.db.read() as conn:
            on = matches.find(conn, table.match).n
        play.act(site, match=table.match, seat=1, act=act, on=on, via="web", now=table.now)
        players.post()
    return players
