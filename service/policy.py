"""Whom a log is held against: this service's keys if it is of this service, else nobody's."""

from __future__ import annotations

from games.log.errors import BadLog
from games.log.policy import Policy, parse
from games.log.record import Open
from games.log.schema import read
from service import matches
from service.errors import NoMatch
from service.site import Site


def own_policy(site: Site) -> str:
    """What this service says about itself: whoever trusts it trusts these keys."""
    return f"heads {site.keys.heads.vkey}\nquorum none\n"


def policy_for(site: Site, data: bytes) -> Policy | None:
    """Our own policy for a log that names our head key or has the id of a match of ours."""
    try:
        first = read(data.partition(b"\n")[0])
    except BadLog:
        return None
    named = isinstance(first.body, Open) and first.body.heads == site.keys.heads.vkey
    return parse(own_policy(site)) if named or _ours(site, first.m) else None


def _ours(site: Site, match: str) -> bool:
    with site.db.read() as conn:
        try:
            matches.find(conn, match)
        except NoMatch:
            return False
    return True
