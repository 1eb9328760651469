"""What addresses ask for that is not there: the nearest number, else 404 with a way on."""

from __future__ import annotations

import re

from tests.web.people import ADA, OPERATOR, House, begin

MISSING = (
    *("/start/malawi?seats=99", "/start/malawi?seats=x", "/start?house=maybe", "/?lang=fr"),
    *("/archive?game=zzz", "/archive?ending=nonsense", "/archive?since=1.12.2026"),
    *("/archive/logs.zip?until=never", "/archive?before=nonsense", "/archive?before=1-m_0"),
    *("/lobby?page=x", "/lobby?page=²", "/matches?game=zzz", "/matches/finished?page=x"),
    *("/m/M/replay?at=x", "/m/M/replay?as=9", "/m/M/replay?turned=no", "/m/M/turns?page=x"),
    *("/m/M/messages?before=x", "/operator/outbox?state=zzz", "/operator/outbox?before=x"),
    *("/operator/inbox?heap=zzz", "/operator/inbox?before=1-2"),
)
NEAREST = {
    "/lobby?page=9": "/lobby",
    "/lobby?page=-3": "/lobby",
    "/archive?since=0001-01-01": "/archive?since=2000-01-01",
    "/archive?until=9999-12-31": "/archive?until=2999-12-31",
    "/matches/others?page=99": "/matches/others",
    "/m/M/replay?at=999": "/m/M/replay",
    "/m/M/replay?at=-1": "/m/M/replay?at=0",
    "/m/M/turns?page=0": "/m/M/turns",
}
VARYING = re.compile(r'name="(csrf_token|nonce)" value="[^"]*"|href="[^"]*lang=[^"]*"')


def test_what_an_address_asks_for_is_shown_or_said_to_be_missing(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    ada.send(f"/operator/{OPERATOR}")
    for address in MISSING:
        who = ada if "lang" not in address else house.visitor()
        path = address.replace("/M/", f"/{pair.match}/")
        answer = who.get(path)
        assert answer.status_code == 404, path
        wanted = path.partition("?")[0]
        if "before=" not in path:
            assert f'<a class="button second" href="{wanted}">' in answer.text, path
            assert who.get(wanted).status_code == 200


def test_a_number_beyond_its_range_leads_to_the_nearest(house: House) -> None:
    pair = begin(house)
    ada = pair.players[ADA]
    for far, near in NEAREST.items():
        beyond, inside = (
            VARYING.sub("", ada.get(path.replace("/M/", f"/{pair.match}/")).text)
            for path in (far, near)
        )
        assert beyond == inside, far
