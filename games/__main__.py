"""The offline command: python -m games verify | replay | show | new."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import get_args

from games.chance.audit import audit
from games.core.drawing import Reader
from games.core.rules import BYSTANDER, OPEN
from games.log.canon import moment
from games.log.errors import BadLog
from games.log.policy import BadPolicy, Policy
from games.log.policy import parse as parse_policy
from games.log.record import Act, Deal, End, Level, Move, Record, Roll, Sys
from games.log.words import sentence
from games.log.writing import kind
from games.new import BadWish, Wish, make_match
from games.position import Position
from games.registry import drawing
from games.verify import Log, Verdict, positions, read, verify

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that are read; a match of 10,000 records has a twentieth of that."""


class Unusable(ValueError):
    """The input cannot be used at all, with the sentence that says why."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. 0: all is well; 1: the log is not; 2: the input cannot be used."""
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], int] = arguments.run
    try:
        return run(arguments)
    except (Unusable, BadWish) as error:
        if getattr(arguments, "json", False):
            print(report(Verdict(False, None, None, (), str(error)), as_json=True))
        else:
            print(error, file=sys.stderr)
        return 2
    except BadLog as error:
        said = sentence(error.code, error.record, "en")
        print(report(Verdict(False, error.code, error.record, (), said)))
        return 1


def report(verdict: Verdict, *, as_json: bool = False) -> str:
    """A verdict as the command prints it."""
    if as_json:
        fields = ("ok", "code", "record", "lines", "sentence")
        return json.dumps({name: getattr(verdict, name) for name in fields})
    if verdict.ok:
        return "\n".join(verdict.lines)
    return f"{verdict.fault}\n{verdict.sentence}"


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises Unusable."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > LARGEST:
        raise Unusable(f"{path} is larger than any log.")
    return data


def read_policy(path: Path) -> Policy:
    """The policy in a file. Raises Unusable."""
    try:
        return parse_policy(read_file(path))
    except BadPolicy as error:
        raise Unusable(f"{path} cannot be used. {error}") from error


def _verify(arguments: argparse.Namespace) -> int:
    policy = None if arguments.policy is None else read_policy(arguments.policy)
    receipts = [read_file(path) for path in arguments.receipt]
    verdict = verify(read_file(arguments.file), policy, receipts)
    print(report(verdict, as_json=arguments.json))
    return 0 if verdict.ok else 1


def _replay(arguments: argparse.Namespace) -> int:
    log = read(read_file(arguments.file))
    if arguments.at is not None and not 0 <= arguments.at < len(log.records):
        raise Unusable(f"There is no record {arguments.at}; the last is {len(log.records) - 1}.")
    before: Position | None = None
    for record, position in positions(log, audit(log.records).hidden):
        moved = before is not None and position.wait != before.wait
        changed = moved or (before is not None and position.state is not before.state)
        if record.n == arguments.at or (arguments.at is None and changed):
            print(_header(record), _board(log, position), sep="\n", end="\n\n")
        if record.n == arguments.at:
            break
        before = position
    return 0


def _show(arguments: argparse.Namespace) -> int:
    for record in read(read_file(arguments.file)).records:
        if isinstance(record.body, Move):
            print(f"{record.n:>4}  {moment(record.at)}  {_line(record)}")
    return 0


def _new(arguments: argparse.Namespace) -> int:
    options = dict(arguments.option)
    if len(options) < len(arguments.option):
        raise Unusable("An option is given twice.")
    if arguments.out.resolve() == arguments.policy_out.resolve():
        raise Unusable("The log and its policy need a file each.")
    wish = Wish(arguments.game, arguments.seats, arguments.seed, options, arguments.level)
    made = make_match(wish)
    _write({arguments.out: made.log, arguments.policy_out: made.policy.encode()})
    return 0


def _header(record: Record) -> str:
    return f"{record.n}  {_line(record)}"


def _line(record: Record) -> str:
    """What a record says, in a line."""
    match record.body:
        case Move(seat=seat, mv=said) | Act(seat=seat, act=said):
            return f"seat {seat}  {said}"
        case Roll(out=out):
            return f"roll  {' '.join(str(one) for one in out)}"
        case Sys(sys=said, seat=seat):
            return f"operator  {said}" + ("" if seat is None else f" seat {seat}")
        case End(why=why, res=res):
            return f"end  {why}" + "".join(f" {seat}={place}" for seat, place in res)
        case Deal():
            return "deal"
        case body:
            return kind(body)


def _board(log: Log, position: Position) -> str:
    if position.state is None:
        started = position.holders and position.pub
        return "The cards are not revealed yet." if started else "The match has not started yet."
    names = tuple(f"Seat {seat}" for seat in range(1, log.opened.seats + 1))
    viewer = OPEN if log.end else BYSTANDER
    view = position.rules.view(position.state, viewer)
    return drawing(log.opened.game).text(view, Reader("en", names, viewer)).rstrip("\n")


def _write(files: Mapping[Path, bytes]) -> None:
    """Writes all files or none: each whole beside its place, and then all into it."""
    beside: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            whole = path.with_name(f".{path.name}.{os.getpid()}")
            with whole.open("xb") as file:
                beside[path] = whole
                file.write(data)
        for path in files:
            beside[path].replace(path)
            del beside[path]
    except OSError as error:
        raise Unusable(f"{error.filename} cannot be written: {error.strerror}.") from error
    finally:
        for whole in beside.values():
            whole.unlink()


def _place(text: str) -> Path:
    path = Path(text)
    if not path.name or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no place for a file")
    return path


def _option(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} should read name=value")
    return name, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description=_WHAT, allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="verify | replay | show | new")
    for name, (what, run, add) in _COMMANDS.items():
        command = commands.add_parser(name, help=what, description=what, allow_abbrev=False)
        command.set_defaults(run=run)
        add(command)
    return parser


def _verify_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--policy", type=Path, metavar="FILE", help="whom to trust")
    command.add_argument(
        "--receipt",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="a signed head kept from a mail; may be given several times",
    )
    command.add_argument("--json", action="store_true", help="one object for machines")


def _replay_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--at", type=int, metavar="N", help="only after record N")


def _show_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE")


def _new_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--game", required=True)
    command.add_argument("--seats", type=int, required=True)
    command.add_argument("--seed", type=int, required=True)
    command.add_argument(
        "--option", type=_option, nargs="+", action="extend", default=[], metavar="NAME=VALUE"
    )
    command.add_argument("--level", choices=get_args(Level), default="F1")
    command.add_argument("--out", type=_place, required=True, metavar="FILE")
    command.add_argument("--policy-out", type=_place, required=True, metavar="FILE")


_WHAT = "Checks, replays, lists and makes match logs; needs no service and no network."
_COMMANDS = {
    "verify": ("check a log against a policy", _verify, _verify_arguments),
    "replay": ("print the positions of a match", _replay, _replay_arguments),
    "show": ("list the turns of a match", _show, _show_arguments),
    "new": ("write the log of a random match", _new, _new_arguments),
}


def _run() -> int:
    """As a program: letters that the terminal lacks and a reader that leaves early do no harm."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        return _silent(1)
    except OSError as error:
        print(f"The answer cannot be written: {error.strerror}.", file=sys.stderr)
        return _silent(2)
    return status


def _silent(status: int) -> int:
    """The exit status of a command whose standard output takes no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


if __name__ == "__main__":
    sys.exit(_run())
