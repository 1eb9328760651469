"""python-chess: a well-kept rules library in Python, through its checked entry points."""

from __future__ import annotations

import io
from collections.abc import Callable

import chess
import chess.pgn

from tests.bench import corpora
from tests.bench.workers.serve import Operation, serve, timed

PLAYOUTS = 10


def prepare(name: str) -> Operation:
    """`replay`, `playout`, or `pgn:100` for a game of so many moves."""
    kind, _, size = name.partition(":")
    if kind == "pgn":
        return timed(pgn(int(size)))
    return timed(replay if kind == "replay" else playout)


def replay() -> tuple[int, bytes]:
    """Every game of the corpus by `push_uci`, which refuses what is not legal."""
    finals, moves = [], 0
    for game in corpora.chess_games():
        board = chess.Board()
        for text in game:
            board.push_uci(text)
        moves += len(game)
        finals.append(board.fen())
    return moves, repr(finals).encode()


def playout() -> tuple[int, bytes]:
    """Random games with the whole list of legal moves at every turn."""
    lot, moves, board = corpora.stream("playout"), 0, chess.Board()
    for _ in range(PLAYOUTS):
        board, count = chess.Board(), 0
        while count < corpora.CAP and (legal := list(board.legal_moves)):
            board.push(legal[lot.below(len(legal))])
            count += 1
        moves += count
    return moves, board.fen().encode()


def pgn(size: int) -> Callable[[], tuple[int, bytes]]:
    """Reading so many moves of the corpus as PGN, one game after the other."""
    texts, count = [], 0
    while count < size:
        game = corpora.chess_games()[len(texts) % corpora.GAMES][: size - count]
        texts.append(_written(game))
        count += len(game)
    text = "\n\n".join(texts)

    def work() -> tuple[int, bytes]:
        source, last = io.StringIO(text), chess.Board()
        while (read := chess.pgn.read_game(source)) is not None:
            last = read.end().board()
        return size, last.fen().encode()

    return work


def _written(moves: corpora.Game) -> str:
    game = chess.pgn.Game()
    game.add_line([chess.Move.from_uci(move) for move in moves])
    return str(game)


if __name__ == "__main__":
    serve(f"chess {chess.__version__}", prepare)
