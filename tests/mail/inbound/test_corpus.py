"""What becomes of every shape of answer, and that our own words come to nothing."""

from __future__ import annotations

import pytest

from service.mail.inbound import raw, route
from service.mail.inbound.nature import nature
from tests.mail.inbound.corpus import SHAPES, Shape
from tests.mail.inbound.original import PATTERN, SERVICE, Original, original


@pytest.fixture(scope="module")
def sent() -> Original:
    return original()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s.number}-{s.name}")
def test_a_shape_comes_to_what_it_should(shape: Shape, sent: Original) -> None:
    data = shape.make(sent)
    mail = raw.take(data)
    ways = route.routes(mail, PATTERN)
    assert ways
    assert nature(mail, SERVICE, ways) == shape.nature
    if shape.nature == "reply":
        found = sent.judge(data, **shape.trust)
        assert (found.action, found.reason, found.line) == (shape.action, shape.reason, shape.line)
        assert found.conditions == shape.conditions
