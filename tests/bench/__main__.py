"""`make bench`: runs the suites and prints one table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.bench import corpora, report
from tests.bench.pair import EngineFailed, Op, Slice, Worker, interleave, workers
from tests.bench.suites import Group, bots, due, mail, page, replay, submit, verify

SUITES = {
    "replay": replay.GROUPS,
    "verify": verify.GROUPS,
    "submit": submit.GROUPS,
    "due": due.GROUPS,
    "page": page.GROUPS,
    "mail": mail.GROUPS,
    "bots": bots.groups(bots.MATCHES),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """0, or 1 with --check when a goal is missed or a row is void."""
    options = _options(arguments)
    digests = corpora.digests()
    if digests != report.pinned():
        print(f"The corpora are not those of goals.toml: {digests}", file=sys.stderr)
        return 1
    suites = SUITES | {"bots": bots.groups(options.matches)}
    groups = [group for suite in options.suite for group in suites[suite]]
    with tempfile.TemporaryDirectory() as folder:
        before = report.conditions(Path(folder))
        with workers(sorted(_engines(groups))) as started:
            head = report.header({name: at.version for name, at in started.items()}, digests)
            found = list(_measure(groups, started, options))
        after = report.conditions(Path(folder))
    head |= {"before": before, "after": after, "rounds": options.rounds, "slice": options.slice}
    _print(head, found, options.json)
    return int(options.check and not all(line.ok for line in found))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--suite", default="all", help="names with commas between, or all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--slice", type=float, default=0.25, help="seconds of one slice")
    parser.add_argument("--quick", action="store_true", help="3 rounds of short slices")
    parser.add_argument("--matches", type=int, default=bots.MATCHES, help="of each house player")
    parser.add_argument("--json", metavar="FILE", help="writes the same for machines")
    parser.add_argument("--check", action="store_true", help="status 1 when a goal is missed")
    options = parser.parse_args(arguments)
    options.suite = list(SUITES) if options.suite == "all" else options.suite.split(",")
    if unknown := set(options.suite) - set(SUITES):
        parser.error(f"no such suite: {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    if options.quick:
        options.rounds, options.slice = 3, 0.1
    return options


def _engines(groups: Sequence[Group]) -> set[str]:
    return {row.op.engine for group in groups for row in (group.yard, *group.rows)}


def _measure(
    groups: Sequence[Group], started: Mapping[str, Worker], options: argparse.Namespace
) -> Iterator[report.Line]:
    known = report.goals()

    def ask(op: Op) -> Slice:
        return started[op.engine].ask(op.name, options.slice)

    for group in groups:
        print(f"  {group.suite}: {group.yard.label.strip()} …", file=sys.stderr)
        others = tuple(row.op for row in group.rows)
        try:
            measured = interleave(group.yard.op, others, options.rounds, ask)
        except EngineFailed as error:
            yield from report.failed(group, str(error), known)
        else:
            yield from report.lines(group, measured, known)


def _print(head: Mapping[str, object], found: Sequence[report.Line], path: str | None) -> None:
    for name, value in head.items():
        print(f"{name + ':':12} {_flat(value)}")
    print()
    print(report.table(found))
    if path is not None:
        rows = [report.as_json(line) for line in found]
        Path(path).write_text(json.dumps({"head": head, "rows": rows}, indent=1) + "\n")


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return " · ".join(f"{name} {found}" for name, found in value.items())
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
