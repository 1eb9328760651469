"""Every code has its sentence, in German and in English."""

from __future__ import annotations

import re
from pathlib import Path

from games.core.drawing import LANGUAGES
from games.log.words import SENTENCES, sentence

# log.md, D.1: the codes in the order of the checks, those of A.2 first.
CODES = [
    "E_BOM",
    "E_CRLF",
    "E_EOF",
    "E_LINELEN",
    "E_ASCII",
    "E_ESCAPE",
    "E_JSON",
    "E_DUPKEY",
    "E_NUMBER",
    "E_DEPTH",
    "E_KEY",
    "E_NONCANON",
    "E_VERSION",
    "E_SCHEMA",
    "E_B64",
    "E_MATCH",
    "E_GAP",
    "E_DUP",
    "E_ORDER",
    "E_CHAIN",
    "E_TIME",
    "E_AFTER_END",
    "E_NOTE",
    "E_HEAD_SIG",
    "E_HEAD_KEY",
    "E_HEAD",
    "E_HEAD_MATCH",
    "E_TRUNCATED",
    "E_TAIL",
    "E_HEAD_HASH",
    "E_ROLLBACK",
    "E_FORK",
    "E_NOPROOF",
    "E_INCLUSION",
    "E_CHECKPOINT_SIG",
    "E_CHECKPOINT_KEY",
    "E_QUORUM",
    "E_RULES",
    "E_CHAIN_ORDER",
    "E_PUB_ELEMENT",
    "E_HID_ELEMENT",
    "E_UNREVEALED",
    "E_PHASE",
    "E_STALE",
    "E_WEAK_KEY",
    "E_PLAYER_UNSIGNED",
    "E_PLAYER_SIG",
    "E_TURN",
    "E_ENTROPY",
    "E_HAND",
    "E_ILLEGAL",
    "E_SEATS",
    "E_DICE_OUT",
    "E_RESULT",
    "E_STATE",
]

SOURCES = sorted((Path(__file__).parents[2] / "games").rglob("*.py"))


def test_every_code_has_a_sentence_of_its_own_in_both_languages() -> None:
    for language in LANGUAGES:
        said = SENTENCES[language]
        assert set(said) == set(CODES)
        assert len(set(said.values())) == len(said)
        assert all(text.endswith(".") and "  " not in text for text in said.values())


def test_no_code_is_raised_that_the_specification_does_not_have() -> None:
    raised = {
        code
        for source in SOURCES
        if source.name != "words.py"
        for code in re.findall(r'"(E_[A-Z0-9_]+)"', source.read_text())
    }
    assert raised == set(CODES)


def test_a_sentence_names_its_record() -> None:
    assert sentence("E_GAP", 7, "en") == "Record 7: A record before this one is missing."
    assert sentence("E_GAP", 7, "de") == "Eintrag 7: Davor fehlt ein Eintrag."
    assert sentence("E_NOPROOF", None, "de").startswith("Der Nachweis fehlt")
    assert sentence(None, None, "en") == "Everything that was to be checked holds."
