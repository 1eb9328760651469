"""Every sentence of Black Monday, German and English."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.drawing import Language
from games.core.words import ENDS, GENERAL, Words

NAME: Mapping[Language, str] = {"de": "Black Monday", "en": "Black Monday"}

OPTIONS: Words = {
    "de": {
        "court-shares": "Karten 11 bis 13 als Anteile",
        "zero-bound": "Konkurs",
        "buy-at-zero": "Kauf beim Kurs 0",
        "pass": "Passen",
        "round-trip": "Gekauftes im selben Zug verkaufen",
        "reshuffle": "Neuer Talon",
        "end-card": "Wenn die Ende-Karte kommt",
        "tie": "Bei gleichem Vermögen",
    },
    "en": {
        "court-shares": "Cards 11 to 13 as shares",
        "zero-bound": "Crash",
        "buy-at-zero": "Buying at price 0",
        "pass": "Passing",
        "round-trip": "Selling in the turn of the purchase",
        "reshuffle": "New talon",
        "end-card": "When the End card comes",
        "tie": "If wealth is equal",
    },
}

VALUES: Mapping[Language, Mapping[str, Mapping[str, str]]] = {
    "de": {
        "court-shares": {"off": "nein", "on": "ja, jede als fünf Anteile"},
        "zero-bound": {
            "window": "nur wenn die 0 so nahe ist wie eine erlaubte Karte",
            "free": "von jedem Kurs aus",
        },
        "buy-at-zero": {"no": "nicht möglich", "yes": "möglich, umsonst"},
        "pass": {"yes": "erlaubt", "no": "nicht erlaubt"},
        "round-trip": {"allow": "erlaubt", "forbid": "nicht erlaubt"},
        "reshuffle": {
            "eager": "sobald die letzte Karte gezogen ist",
            "lazy": "wenn die nächste Karte gebraucht wird",
        },
        "end-card": {
            "immediate": "ist die Partie sofort zu Ende",
            "round": "wird die Runde zu Ende gespielt",
        },
        "tie": {"share": "geteilter Sieg", "cash": "mehr Bargeld entscheidet"},
    },
    "en": {
        "court-shares": {"off": "no", "on": "yes, each as five shares"},
        "zero-bound": {
            "window": "only if 0 is as near as a card that may be played",
            "free": "from any price",
        },
        "buy-at-zero": {"no": "not possible", "yes": "possible, for nothing"},
        "pass": {"yes": "allowed", "no": "not allowed"},
        "round-trip": {"allow": "allowed", "forbid": "not allowed"},
        "reshuffle": {
            "eager": "as soon as the last card is drawn",
            "lazy": "when the next card is needed",
        },
        "end-card": {
            "immediate": "the match is over at once",
            "round": "the round is played to its end",
        },
        "tie": {"share": "a shared win", "cash": "more money decides"},
    },
}

REASONS: Words = {
    "de": {
        **ENDS["de"],
        "closed": "die Ende-Karte ist gezogen",
        "passed": "alle haben zweimal hintereinander gepasst",
    },
    "en": {
        **ENDS["en"],
        "closed": "the End card has been drawn",
        "passed": "everybody passed twice in succession",
    },
}

_COLOURS: Mapping[Language, Mapping[str, str]] = {
    "de": {"R": "Rot", "B": "Blau", "P": "Violett", "Y": "Gelb"},
    "en": {"R": "red", "B": "blue", "P": "purple", "Y": "yellow"},
}


def _coloured(language: Language, sentences: Mapping[str, str]) -> dict[str, str]:
    """Each sentence once for each colour: `card` becomes `card-R`, `sells-you` `sells-R-you`."""
    return {
        f"{key.removesuffix('-you')}-{letter}{'-you' * key.endswith('-you')}": sentence.replace(
            "{colour}", colour
        ).replace("{Colour}", colour.capitalize())
        for key, sentence in sentences.items()
        for letter, colour in _COLOURS[language].items()
    }


_REFUSALS: Words = {
    "de": {
        "malformed": "„{text}“ ist kein Zug. So sieht einer aus: price R9 (Kurs), crash R12"
        " (Konkurs), buy R4 (kaufen), sell R10 (verkaufen), swap R1 B2 (tauschen), pass, end.",
        "one-card": "Zu „{word}“ gehört eine Karte. Mehrere Züge trennt ein Semikolon.",
        "too-many": "Du kannst höchstens {most} Karten tauschen.",
        "order": "Die Karten stehen in der Reihenfolge Rot, Blau, Violett, Gelb, jede Farbe"
        " aufsteigend.",
        "over": "Die Partie ist zu Ende.",
        "not-yet": "Erst werden die Karten gemischt.",
        "changed-twice": "In einem Zug kannst du höchstens zwei Kurse ändern.",
        "bought-twice": "In einem Zug kannst du höchstens zwei Karten kaufen.",
        "price-over": "Die Kurse hast du in diesem Zug schon geändert und danach gehandelt."
        " Beides geht nur in einem Stück.",
        "trade-over": "Gehandelt hast du in diesem Zug schon, und danach Kurse geändert."
        " Beides geht nur in einem Stück.",
        "too-dear": "Das kostet {cost} GE. Du hast {money}.",
        "swap-alone": "Wer Karten tauscht, tut in diesem Zug sonst nichts.",
        "pass-alone": "Wer in diesem Zug schon etwas getan hat, kann nicht mehr passen.",
        "no-pass": "Passen ist in dieser Partie nicht erlaubt.",
        "nothing-done": "Du hast in diesem Zug noch nichts getan. Wer nichts tun will, passt.",
    },
    "en": {
        "malformed": "“{text}” is not a move. A move looks like this: price R9, crash R12, buy R4,"
        " sell R10, swap R1 B2, pass, end.",
        "one-card": "One card goes with “{word}”. A semicolon stands between moves.",
        "too-many": "You can exchange at most {most} cards.",
        "order": "Cards stand in the order red, blue, purple, yellow, each colour ascending.",
        "over": "The match is over.",
        "not-yet": "The cards are shuffled first.",
        "changed-twice": "You can change at most two prices in a turn.",
        "bought-twice": "You can buy at most two cards in a turn.",
        "price-over": "You have changed prices in this turn already, and traded after that."
        " Each can only be done in one go.",
        "trade-over": "You have traded in this turn already, and changed prices after that."
        " Each can only be done in one go.",
        "too-dear": "This costs {cost} coins. You have {money}.",
        "swap-alone": "Whoever exchanges cards does nothing else in that turn.",
        "pass-alone": "You have done something in this turn and cannot pass any more.",
        "no-pass": "Passing is not allowed in this match.",
        "nothing-done": "You have not done anything in this turn yet. To do nothing, pass.",
    },
}

_COLOURED_REFUSALS: Words = {
    "de": {
        "not-held": "{colour} {value} hast du nicht auf der Hand.",
        "window": "{colour} {value} geht nicht: Auf den Kurs {price} darf bei {colour} nur"
        " {low} bis {high} folgen.",
        "no-court": "Konkurs geht nur mit 11, 12 oder 13, nicht mit {colour} {value}.",
        "too-high": "{colour} steht bei {price}. Für einen Konkurs darf der Kurs höchstens {most}"
        " sein.",
        "court": "{colour} {value} kannst du nicht kaufen: Karten über 10 sind in dieser Partie"
        " keine Anteile.",
        "worthless": "{colour} steht bei 0 und kann nicht gekauft werden.",
        "cap": "Du hast schon Anteile an {colour}, nämlich {shares}. Mit {count} dazu wären es mehr"
        " als {most}.",
        "not-laid": "{colour} {value} liegt nicht vor dir.",
        "resale": "{colour} {value} hast du erst in diesem Zug gekauft. In dieser Partie kannst du"
        " die Karte frühestens im nächsten verkaufen.",
    },
    "en": {
        "not-held": "You do not hold {colour} {value}.",
        "window": "{Colour} {value} does not fit: at price {price}, {colour} may only go to"
        " {low} up to {high}.",
        "no-court": "Only 11, 12 or 13 can crash a price, not {colour} {value}.",
        "too-high": "{Colour} is at {price}. To crash, the price may be at most {most}.",
        "court": "You cannot buy {colour} {value}: cards above 10 are no shares in this match.",
        "worthless": "{Colour} is at 0 and cannot be bought.",
        "cap": "You have shares of {colour} already: {shares}. With {count} more these would be"
        " over {most}.",
        "not-laid": "{Colour} {value} is not in front of you.",
        "resale": "You bought {colour} {value} in this very turn. In this match you can sell it"
        " in the next one at the earliest.",
    },
}

_CHOICES: Words = {
    "de": {
        "take-back": "Zurücknehmen: {move}",
        "end": "Zug beenden",
        "pass": "Passen",
    },
    "en": {
        "take-back": "Take back: {move}",
        "end": "End the turn",
        "pass": "Pass",
    },
}

_COLOURED_CHOICES: Words = {
    "de": {
        "pick": "{colour} {value}: wählen",
        "put-back": "{colour} {value}: Wahl zurücknehmen",
        "set": "Kurs {colour} von {old} auf {value} setzen",
        "crash": "{colour} mit der {value} in den Konkurs treiben: Kurs von {old} auf 0",
        "buy": "{colour} {value} kaufen, Anteile: {count}, Preis: {cost} GE",
        "sell": "{colour} {value} verkaufen: {gain} GE",
        "swap": "{colour} {value} tauschen",
        "swap-too": "auch {colour} {value} tauschen",
    },
    "en": {
        "pick": "{Colour} {value}: choose",
        "put-back": "{Colour} {value}: take the choice back",
        "set": "move the price of {colour} from {old} to {value}",
        "crash": "crash {colour} with the {value}: price from {old} to 0",
        "buy": "buy {colour} {value}, shares: {count}, price: {cost} coins",
        "sell": "sell {colour} {value}: {gain} coins",
        "swap": "exchange {colour} {value}",
        "swap-too": "exchange {colour} {value} too",
    },
}

_TOLD: Words = {
    "de": {
        "deeds": "{name} {deeds}.",
        "deeds-you": "Du {deeds}.",
        "swaps": "tauscht {cards}",
        "swaps-you": "tauschst {cards}",
        "passes": "passt",
        "passes-you": "passt",
        "ends": "beendet den Zug",
        "ends-you": "beendest den Zug",
        "start-prices": "Die Kurse beginnen bei {prices}.",
        "dealt": "Die Karten sind gemischt und verteilt, {count} für jeden.",
        "new-talon": "Der Talon ist aufgebraucht: Die Ablage und die Ende-Karte sind neu gemischt.",
        "draws": "Du ziehst {cards}.",
        "last-round": "Die Ende-Karte ist gezogen. Die Runde wird noch zu Ende gespielt.",
        "won": "{name} hat gewonnen: {reason}.",
        "won-you": "Du hast gewonnen: {reason}.",
        "shared": "Gewonnen haben {names}: {reason}.",
        "turn": "Am Zug: {name}.",
        "turn-you": "Du bist am Zug.",
        "begun": "Mitten im Zug: {name}.",
        "begun-you": "Du bist mitten in deinem Zug.",
        "undealt": "Die Karten sind noch nicht verteilt.",
        "title": "Black Monday: {name} ist am Zug",
        "title-you": "Black Monday: du bist am Zug",
        "title-won": "Black Monday: {name} hat gewonnen",
        "title-won-you": "Black Monday: du hast gewonnen",
        "title-shared": "Black Monday: gewonnen haben {names}",
        "title-over": "Black Monday: die Partie ist zu Ende",
        "title-undealt": "Black Monday: die Karten sind noch nicht verteilt",
        "title-chosen": "Black Monday: gewählt {line}",
        "seat": "{name}: {money} GE, {shares}.",
        "seat-left": "{name} (ausgeschieden): {money} GE, {shares}.",
        "no-shares": "keine Anteile",
        "hand": "Hand von {name}: {cards}.",
        "hand-you": "Deine Hand: {cards}.",
        "unseen": "verdeckte Karte",
        "talon": "Talon, Karten: {count}",
        "talon-closing": "Talon, Karten: {count}, darunter die Ende-Karte",
        "discard": "Ablage: {cards}.",
        "last": "Letzter Zug: {line}.",
        "allowed": "erlaubt {low} bis {high}",
        "crash-too": "Konkurs möglich",
        "person": "{name}",
        "person-you": "{name} (du)",
        "person-left": "{name} (ausgeschieden)",
        "worth": "{money} GE, Vermögen {wealth}",
    },
    "en": {
        "deeds": "{name} {deeds}.",
        "deeds-you": "You {deeds}.",
        "swaps": "exchanges {cards}",
        "swaps-you": "exchange {cards}",
        "passes": "passes",
        "passes-you": "pass",
        "ends": "ends the turn",
        "ends-you": "end the turn",
        "start-prices": "The prices start at {prices}.",
        "dealt": "The cards have been shuffled and dealt, {count} to everybody.",
        "new-talon": "The talon is used up: discard and End card are shuffled into a new one.",
        "draws": "You draw {cards}.",
        "last-round": "The End card has been drawn. The round is played to its end.",
        "won": "{name} has won: {reason}.",
        "won-you": "You have won: {reason}.",
        "shared": "Winners: {names}; {reason}.",
        "turn": "To move: {name}.",
        "turn-you": "It is your turn.",
        "begun": "In the middle of a turn: {name}.",
        "begun-you": "You are in the middle of your turn.",
        "undealt": "The cards have not been dealt yet.",
        "title": "Black Monday: {name} is to move",
        "title-you": "Black Monday: it is your turn",
        "title-won": "Black Monday: {name} has won",
        "title-won-you": "Black Monday: you have won",
        "title-shared": "Black Monday: won by {names}",
        "title-over": "Black Monday: the match is over",
        "title-undealt": "Black Monday: the cards have not been dealt yet",
        "title-chosen": "Black Monday: {line} chosen",
        "seat": "{name}: {money} coins, {shares}.",
        "seat-left": "{name} (left): {money} coins, {shares}.",
        "no-shares": "no shares",
        "hand": "Hand of {name}: {cards}.",
        "hand-you": "Your hand: {cards}.",
        "unseen": "a card face down",
        "talon": "Talon, cards: {count}",
        "talon-closing": "Talon, cards: {count}, the End card among them",
        "discard": "Discard: {cards}.",
        "last": "Last turn: {line}.",
        "allowed": "{low} to {high} allowed",
        "crash-too": "crash possible",
        "person": "{name}",
        "person-you": "{name} (you)",
        "person-left": "{name} (left)",
        "worth": "{money} coins, wealth {wealth}",
    },
}

_COLOURED_TOLD: Words = {
    "de": {
        "colour": "{colour}",
        "card": "{colour} {value}",
        "raises": "hebt {colour} von {old} auf {value}",
        "raises-you": "hebst {colour} von {old} auf {value}",
        "lowers": "senkt {colour} von {old} auf {value}",
        "lowers-you": "senkst {colour} von {old} auf {value}",
        "keeps": "lässt {colour} bei {value}",
        "keeps-you": "lässt {colour} bei {value}",
        "crashes": "treibt {colour} mit der {value} in den Konkurs",
        "crashes-you": "treibst {colour} mit der {value} in den Konkurs",
        "buys": "kauft {colour} {value} für {cost} GE",
        "buys-you": "kaufst {colour} {value} für {cost} GE",
        "sells": "verkauft {colour} {value} für {cost} GE",
        "sells-you": "verkaufst {colour} {value} für {cost} GE",
        "lost": "Alle Anteile an {colour} sind verloren.",
        "stock": "{colour}: Kurs {price}, erlaubt {low} bis {high}",
        "stock-crash": "{colour}: Kurs {price}, erlaubt {low} bis {high}, Konkurs möglich",
        "share": "Anteile: {colour} {value}",
        "laid": "{colour} {values}",
        "at": "{colour} {price}",
    },
    "en": {
        "colour": "{Colour}",
        "card": "{colour} {value}",
        "raises": "raises {colour} from {old} to {value}",
        "raises-you": "raise {colour} from {old} to {value}",
        "lowers": "lowers {colour} from {old} to {value}",
        "lowers-you": "lower {colour} from {old} to {value}",
        "keeps": "leaves {colour} at {value}",
        "keeps-you": "leave {colour} at {value}",
        "crashes": "crashes {colour} with the {value}",
        "crashes-you": "crash {colour} with the {value}",
        "buys": "buys {colour} {value} for {cost} coins",
        "buys-you": "buy {colour} {value} for {cost} coins",
        "sells": "sells {colour} {value} for {cost} coins",
        "sells-you": "sell {colour} {value} for {cost} coins",
        "lost": "All shares of {colour} are lost.",
        "stock": "{Colour}: price {price}, {low} to {high} allowed",
        "stock-crash": "{Colour}: price {price}, {low} to {high} allowed, crash possible",
        "share": "Shares: {colour} {value}",
        "laid": "{colour} {values}",
        "at": "{colour} {price}",
    },
}


_PLAIN = (GENERAL, _REFUSALS, _CHOICES, _TOLD)
_BY_COLOUR = (_COLOURED_REFUSALS, _COLOURED_CHOICES, _COLOURED_TOLD)


def _all(language: Language) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in _PLAIN:
        found.update(part[language])
    for part in _BY_COLOUR:
        found.update(_coloured(language, part[language]))
    return found


WORDS: Words = {"de": _all("de"), "en": _all("en")}
