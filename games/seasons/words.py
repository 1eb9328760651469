"""Every sentence of Seasons of the Sun, German and English."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.drawing import Language
from games.core.words import ENDS, GENERAL, Words

NAME: Mapping[Language, str] = {"de": "Seasons of the Sun", "en": "Seasons of the Sun"}

OPTIONS: Words = {
    "de": {"tie": "Bei 60 zu 60"},
    "en": {"tie": "At 60 to 60"},
}

VALUES: Mapping[Language, Mapping[str, Mapping[str, str]]] = {
    "de": {"tie": {"draw": "remis", "sectors": "wer mehr Sektoren hat, gewinnt"}},
    "en": {"tie": {"draw": "a draw", "sectors": "who has more sectors wins"}},
}

REASONS: Words = {
    "de": {**ENDS["de"], "score": "beide Ringe sind voll"},
    "en": {**ENDS["en"], "score": "both rings are full"},
}

_REFUSALS: Words = {
    "de": {
        "malformed": "„{text}“ ist kein Zug. Ein Zug sieht so aus: max15 (die Augensumme auf"
        " dieses Feld legen) oder reroll 1,3 (Würfel 1 und 3 noch einmal werfen).",
        "no-sector": "Einen Sektor {sector} gibt es nicht: max5, max8, max9, max10, max13 und"
        " max15, min9, min10, min11, min13 und min17.",
        "dice-order": "Würfel stehen der Reihe nach, jeder höchstens einmal: reroll 1,3.",
        "die-twice": "Hier steht ein Würfel zweimal.",
        "over": "Die Partie ist vorbei.",
        "in-the-cup": "Erst müssen die Würfel fallen.",
        "rerolled": "In diesem Zug hast du schon einmal neu gewürfelt.",
        "taken": "Auf deinem Feld {sector} liegt schon {sum}.",
    },
    "en": {
        "malformed": "“{text}” is no move. A move looks like this: max15 (lay the sum of the dice"
        " on this field) or reroll 1,3 (throw dice 1 and 3 once more).",
        "no-sector": "There is no sector {sector}: max5, max8, max9, max10, max13 and max15,"
        " min9, min10, min11, min13 and min17.",
        "dice-order": "Dice stand in their order, each at most once: reroll 1,3.",
        "die-twice": "A die stands here twice.",
        "over": "The match is over.",
        "in-the-cup": "First the dice must fall.",
        "rerolled": "You have thrown dice once more in this turn already.",
        "taken": "On your field {sector} there is a {sum} already.",
    },
}

_CHOICES: Words = {
    "de": {
        "place": "{sum} auf {sector} legen",
        "place-wins": "{sum} auf {sector} legen: du gewinnst den Sektor, {points} Punkte",
        "place-loses": "{sum} auf {sector} legen: du verlierst den Sektor, {points} Punkte",
        "place-clears": "{sum} auf {sector} legen: dort liegt auch {sum}, beide Felder werden frei",
        "unplace": "{sector}: Wahl zurücknehmen",
        "throw": "Würfel {die} zeigt {eyes}: noch einmal werfen",
        "keep": "Würfel {die} zeigt {eyes}: doch liegen lassen",
    },
    "en": {
        "place": "lay {sum} on {sector}",
        "place-wins": "lay {sum} on {sector}: you win the sector, {points} points",
        "place-loses": "lay {sum} on {sector}: you lose the sector, {points} points",
        "place-clears": "lay {sum} on {sector}: there is a {sum} already, both fields become free",
        "unplace": "{sector}: take the choice back",
        "throw": "die {die} shows {eyes}: throw it once more",
        "keep": "die {die} shows {eyes}: leave it after all",
    },
}

_TOLD: Words = {
    "de": {
        "rerolls": "{name} wirft {dice} noch einmal.",
        "rerolls-you": "Du wirfst {dice} noch einmal.",
        "places": "{name} legt {sum} auf {sector}.",
        "places-you": "Du legst {sum} auf {sector}.",
        "wins": "{name} gewinnt den Sektor, {points} Punkte.",
        "wins-you": "Du gewinnst den Sektor, {points} Punkte.",
        "clears": "Dort liegt auch {sum}: Beide Felder sind wieder frei.",
        "again": "{name} ist noch einmal am Zug.",
        "again-you": "Du bist noch einmal am Zug.",
        "waits": "{name} setzt aus, der Ring ist voll.",
        "waits-you": "Du setzt aus, dein Ring ist voll.",
        "one-die": "die {eyes}",
        "score": "Punkte: {first} zu {second}.",
        "sectors": "Sektoren: {first} zu {second}.",
        "won": "{name} hat gewonnen.",
        "won-you": "Du hast gewonnen.",
        "drawn": "Remis.",
        "to-move": "Am Zug: {name} mit {dice}.",
        "to-move-you": "Du bist am Zug mit {dice}.",
        "thrown": "{name} würfelt {dice}.",
        "thrown-you": "Du würfelst {dice}.",
        "throws": "{name} würfelt.",
        "throws-you": "Du würfelst.",
        "title": "Seasons of the Sun: {name} ist am Zug mit {dice}",
        "title-you": "Seasons of the Sun: du bist am Zug mit {dice}",
        "title-throws": "Seasons of the Sun: {name} würfelt",
        "title-throws-you": "Seasons of the Sun: du würfelst",
        "title-chosen": "Seasons of the Sun: gewählt {line}",
        "title-won": "Seasons of the Sun: {name} hat gewonnen",
        "title-won-you": "Seasons of the Sun: du hast gewonnen",
        "title-over": "Seasons of the Sun: die Partie ist zu Ende",
        "title-drawn": "Seasons of the Sun: remis",
        "outer": "Äußerer Ring {name}: {fields}.",
        "inner": "Innerer Ring {name}: {fields}.",
        "empty": "leer",
        "owned": "{sectors}: {name}.",
        "last": "Letzter Zug: {line}.",
        "field": "{sector}, {name}: {sum}",
        "field-lost": "{sector}, {name}: {sum} (verloren)",
        "field-free": "{sector}, {name}: frei",
        "sector-won": "{sector}: gewonnen von {name}",
        "die": "Würfel {die}: {eyes}",
        "die-away": "Würfel {die}: im Becher",
        "name": "{name}",
        "score-of": "Punkte: {one} {first}, {two} {second}",
        "sector": "Sektor",
        "points": "Punkte",
        "dice": "Würfel: {dice} = {sum}",
        "legend": "* gewinnt den Sektor",
    },
    "en": {
        "rerolls": "{name} throws {dice} once more.",
        "rerolls-you": "You throw {dice} once more.",
        "places": "{name} lays {sum} on {sector}.",
        "places-you": "You lay {sum} on {sector}.",
        "wins": "{name} wins the sector, {points} points.",
        "wins-you": "You win the sector, {points} points.",
        "clears": "There is a {sum} already: both fields are free again.",
        "again": "{name} is to move once more.",
        "again-you": "You are to move once more.",
        "waits": "{name} sits out with a full ring.",
        "waits-you": "You sit out with a full ring.",
        "one-die": "the {eyes}",
        "score": "Points: {first} to {second}.",
        "sectors": "Sectors: {first} to {second}.",
        "won": "{name} has won.",
        "won-you": "You have won.",
        "drawn": "A draw.",
        "to-move": "To move: {name} with {dice}.",
        "to-move-you": "It is your turn with {dice}.",
        "thrown": "{name} rolls {dice}.",
        "thrown-you": "You roll {dice}.",
        "throws": "{name} throws the dice.",
        "throws-you": "You throw the dice.",
        "title": "Seasons of the Sun: {name} is to move with {dice}",
        "title-you": "Seasons of the Sun: it is your turn with {dice}",
        "title-throws": "Seasons of the Sun: {name} throws the dice",
        "title-throws-you": "Seasons of the Sun: you throw the dice",
        "title-chosen": "Seasons of the Sun: {line} chosen",
        "title-won": "Seasons of the Sun: {name} has won",
        "title-won-you": "Seasons of the Sun: you have won",
        "title-over": "Seasons of the Sun: the match is over",
        "title-drawn": "Seasons of the Sun: a draw",
        "outer": "Outer ring {name}: {fields}.",
        "inner": "Inner ring {name}: {fields}.",
        "empty": "empty",
        "owned": "{sectors}: {name}.",
        "last": "Last turn: {line}.",
        "field": "{sector}, {name}: {sum}",
        "field-lost": "{sector}, {name}: {sum} (lost)",
        "field-free": "{sector}, {name}: free",
        "sector-won": "{sector}: won by {name}",
        "die": "die {die}: {eyes}",
        "die-away": "die {die}: in the cup",
        "name": "{name}",
        "score-of": "Points: {one} {first}, {two} {second}",
        "sector": "sector",
        "points": "points",
        "dice": "dice: {dice} = {sum}",
        "legend": "* wins the sector",
    },
}

WORDS: Words = {
    "de": {**GENERAL["de"], **_REFUSALS["de"], **_CHOICES["de"], **_TOLD["de"]},
    "en": {**GENERAL["en"], **_REFUSALS["en"], **_CHOICES["en"], **_TOLD["en"]},
}
