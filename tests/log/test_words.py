"""Every code has its sentence, in German and in English."""

from __future__ import annotations

import re
from pathlib import Path

import games.log
from games.core.drawing import LANGUAGES
from games.log.words import SENTENCES, sentence

CODES = set(re.findall(r"\bE_[A-Z0-9_]+\b", games.log.__doc__ or ""))
"""The codes that the specification has."""

SOURCES = sorted((Path(__file__).parents[2] / "games").rglob("*.py"))


def test_every_code_has_a_sentence_of_its_own_in_both_languages() -> None:
    for language in LANGUAGES:
        said = SENTENCES[language]
        assert set(said) == CODES
        assert len(set(said.values())) == len(said)
        assert all(text.endswith(".") and "  " not in text for text in said.values())


def test_no_code_is_raised_that_the_specification_does_not_have() -> None:
    raised = {
        code
        for source in SOURCES
        if source.name != "words.py"
        for code in re.findall(r'"(E_[A-Z0-9_]+)"', source.read_text())
    }
    assert raised == CODES


def test_a_sentence_names_its_record() -> None:
    assert sentence("E_GAP", 7, "en") == "Record 7: A record before this one is missing."
    assert sentence("E_GAP", 7, "de") == "Satz 7: Davor fehlt ein Satz."
    assert sentence("E_NOPROOF", None, "de").startswith("Der Nachweis fehlt")
    assert sentence(None, None, "en") == "Everything that was to be checked holds."
