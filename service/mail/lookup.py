"""What stands in DNS: the one question of this service's own to the network, if it may ask it."""

from __future__ import annotations

import dns.exception
import dns.resolver

SECONDS = 5
"""For an answer."""


def text(name: str) -> str:
    """The text under a name; "" if there is none. Raises LookupError if nobody says."""
    try:
        found = dns.resolver.resolve(name, "TXT", lifetime=SECONDS, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return ""
    except dns.exception.DNSException as error:
        raise LookupError(str(error)) from error
    rows = [b"".join(row.strings) for row in found.rrset or ()]
    return rows[0].decode("ascii", "replace") if rows else ""
