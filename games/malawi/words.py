"""Every sentence of Malawi, German and English."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.drawing import Language
from games.core.words import ENDS, GENERAL, Words

NAME: Mapping[Language, str] = {"de": "Malawi", "en": "Malawi"}

OPTIONS: Words = {
    "de": {
        "board-size": "Brettgröße",
        "max-strength": "Höchste Stärke",
        "goal": "Ziel",
        "reentry": "Figuren auf der Zielreihe",
        "repetition": "Zum dritten Mal dieselbe Stellung",
        "no-progress": "Züge ohne verlorenen Punkt bis zum Remis",
    },
    "en": {
        "board-size": "Board size",
        "max-strength": "Highest strength",
        "goal": "Goal",
        "reentry": "Pieces on the goal row",
        "repetition": "The same position for the third time",
        "no-progress": "Moves without a lost point until a draw",
    },
}

VALUES: Mapping[Language, Mapping[str, Mapping[str, str]]] = {
    "de": {
        "board-size": {"6": "6 × 6", "7": "7 × 7 (Versuch)", "8": "8 × 8 (Versuch)"},
        "max-strength": {"5": "5", "6": "6", "7": "7", "none": "ohne Grenze"},
        "goal": {
            "survives": "wer ankommt und den Gegenzug übersteht, gewinnt",
            "uncapturable": "nur wer ankommt und nicht geschlagen werden kann, gewinnt",
            "reach": "wer ankommt, gewinnt sofort",
        },
        "reentry": {
            "move": "sie gewinnen durch einen Zug, der auf der Reihe endet",
            "state": "sie gewinnen auch, wenn sie dort wieder Punkte bekommen und sicher stehen",
            "leave": "sie müssen die Reihe erst verlassen und neu erreichen",
        },
        "repetition": {"draw": "remis", "forbid": "verboten", "off": "ohne Folgen"},
        "no-progress": {"off": "kein Remis"},
    },
    "en": {
        "board-size": {"6": "6 × 6", "7": "7 × 7 (experimental)", "8": "8 × 8 (experimental)"},
        "max-strength": {"5": "5", "6": "6", "7": "7", "none": "no limit"},
        "goal": {
            "survives": "who arrives and survives the reply wins",
            "uncapturable": "only who arrives and cannot be captured wins",
            "reach": "who arrives wins at once",
        },
        "reentry": {
            "move": "they win by a move that ends on the row",
            "state": "they also win when they are given points again there and are safe",
            "leave": "they must leave the row first and reach it anew",
        },
        "repetition": {"draw": "draw", "forbid": "forbidden", "off": "does not matter"},
        "no-progress": {"off": "no draw"},
    },
}

REASONS: Words = {
    "de": {
        **ENDS["de"],
        "goal": "eine Figur ist am Ziel",
        "exhausted": "die andere Seite hat keinen Punkt mehr",
        "repetition": "zum dritten Mal dieselbe Stellung",
        "no-progress": "zu lange ging kein Punkt verloren",
    },
    "en": {
        **ENDS["en"],
        "goal": "a piece is at its goal",
        "exhausted": "the other side has no point left",
        "repetition": "the same position for the third time",
        "no-progress": "no point was lost for too long",
    },
}

_REFUSALS: Words = {
    "de": {
        "malformed": "„{text}“ ist kein Zug. So sieht einer aus: a3-c3 (ziehen),"
        " f3xd3 (schlagen), a1:a2,a3 (verteilen).",
        "receivers": "Wer einen Punkt bekommt, wird einmal genannt, in der Reihenfolge des Bretts.",
        "over": "Die Partie ist zu Ende.",
        "off-board": "Das Feld {square} gibt es auf diesem Brett nicht.",
        "nobody": "Auf {square} steht keine Figur.",
        "not-yours": "Die Figur auf {square} gehört dir nicht.",
        "powerless": "Die Figur auf {square} hat Stärke 0 und kann nichts tun.",
        "not-straight": "Von {square} geht es nur waagrecht und senkrecht weiter,"
        " nicht nach {target}.",
        "distance": "Die Figur auf {square} hat Stärke {strength} und zieht oder schlägt genau"
        " so weit. Bis dorthin ist die Entfernung {length}.",
        "blocked": "Zwischen {square} und {target} steht eine Figur im Weg.",
        "occupied": "Auf {square} steht schon eine Figur.",
        "no-enemy": "Auf {square} steht keine gegnerische Figur.",
        "spent": "Die Figur auf {square} hat schon Stärke 0.",
        "to-itself": "Die Figur auf {square} kann sich selbst nichts geben.",
        "full": "Die Figur auf {square} hat schon die höchste Stärke, {strength}.",
        "too-few": "Die Figur auf {square} hat Stärke {points} und gibt ab, was sie kann."
        " Das sind zu wenige Empfänger: nötig {count}, genannt {given}.",
        "too-many": "Die Figur auf {square} hat Stärke {points} und gibt jeder anderen höchstens"
        " einen Punkt. Das sind zu viele Empfänger: möglich {count}, genannt {given}.",
        "third-time": "Damit stünde dieselbe Stellung zum dritten Mal auf dem Brett."
        " Das ist in dieser Partie verboten.",
    },
    "en": {
        "malformed": "“{text}” is not a move. A move looks like this: a3-c3 (move),"
        " f3xd3 (capture), a1:a2,a3 (distribute).",
        "receivers": "Name everyone who gets a point once, in the order of the board.",
        "over": "The match is over.",
        "off-board": "This board has no square {square}.",
        "nobody": "There is no piece on {square}.",
        "not-yours": "The piece on {square} is not yours.",
        "powerless": "The piece on {square} has strength 0 and cannot do anything.",
        "not-straight": "From {square} you can only go along its row or column, not to {target}.",
        "distance": "The piece on {square} has strength {strength} and moves or captures exactly"
        " that far. The distance to there is {length}.",
        "blocked": "A piece stands in the way between {square} and {target}.",
        "occupied": "There is a piece on {square} already.",
        "no-enemy": "There is no enemy piece on {square}.",
        "spent": "The piece on {square} has strength 0 already.",
        "to-itself": "The piece on {square} cannot give anything to itself.",
        "full": "The piece on {square} has the highest strength already, {strength}.",
        "too-few": "The piece on {square} has strength {points} and gives away all it can."
        " These are too few receivers: needed {count}, named {given}.",
        "too-many": "The piece on {square} has strength {points} and gives each other piece one"
        " point at most. These are too many receivers: possible {count}, named {given}.",
        "third-time": "This would put the same position on the board for the third time,"
        " which is forbidden in this match.",
    },
}

_CHOICES: Words = {
    "de": {
        "pick": "{square}, Stärke {strength}: wählen",
        "put-back": "{square}: Wahl zurücknehmen",
        "untarget": "{square}: doch nicht",
        "step": "{piece} nach {target} ziehen",
        "capture": "{piece} schlägt {target}: Stärke {strength} wird 0",
        "give": "{receiver} bekommt einen Punkt von {piece}",
    },
    "en": {
        "pick": "{square}, strength {strength}: choose",
        "put-back": "{square}: take the choice back",
        "untarget": "{square}: rather not",
        "step": "move {piece} to {target}",
        "capture": "{piece} captures {target}: strength {strength} becomes 0",
        "give": "{receiver} gets a point from {piece}",
    },
}

_TOLD: Words = {
    "de": {
        "moves": "{name} zieht {line}.",
        "moves-you": "Du ziehst {line}.",
        "captures": "{name} schlägt {line}: Die Figur auf {target} fällt von {strength} auf 0.",
        "captures-you": "Du schlägst {line}: Die Figur auf {target} fällt von {strength} auf 0.",
        "gives": "{name} verteilt {piece} auf {receivers}.",
        "gives-you": "Du verteilst {piece} auf {receivers}.",
        "lost": "Was niemand mehr nehmen kann, verfällt.",
        "arrived": "Die Figur auf {square} ist am Ziel. Wird sie jetzt nicht geschlagen,"
        " gewinnt {name}.",
        "arrived-you": "Deine Figur auf {square} ist am Ziel. Wird sie jetzt nicht geschlagen,"
        " gewinnst du.",
        "won": "{name} hat gewonnen: {reason}.",
        "won-you": "Du hast gewonnen: {reason}.",
        "drawn": "Remis: {reason}.",
        "turn": "Am Zug: {name}.",
        "turn-you": "Du bist am Zug.",
        "title": "Malawi: {name} ist am Zug",
        "title-you": "Malawi: du bist am Zug",
        "title-won": "Malawi: {name} hat gewonnen",
        "title-won-you": "Malawi: du hast gewonnen",
        "title-drawn": "Malawi: remis",
        "title-over": "Malawi: die Partie ist zu Ende",
        "title-chosen": "Malawi: gewählt {line}",
        "rows": "Reihe {top} oben, {bottom} unten.",
        "side-1": "{name}, runde helle Perlen: {pieces}.",
        "side-2": "{name}, kantige dunkle Perlen: {pieces}.",
        "last": "Letzter Zug {line}.",
        "piece": "{square}: {name}, Stärke {strength}",
        "sum": "{name}, Perlen: {sum}",
        "sum-you": "{name} (du), Perlen: {sum}",
    },
    "en": {
        "moves": "{name} moves {line}.",
        "moves-you": "You move {line}.",
        "captures": "{name} captures {line}: the piece on {target} falls from {strength} to 0.",
        "captures-you": "You capture {line}: the piece on {target} falls from {strength} to 0.",
        "gives": "{name} distributes {piece} to {receivers}.",
        "gives-you": "You distribute {piece} to {receivers}.",
        "lost": "What nobody can take any more is lost.",
        "arrived": "The piece on {square} is at its goal. Unless it is captured now, {name} wins.",
        "arrived-you": "Your piece on {square} is at its goal. Unless it is captured now, you win.",
        "won": "{name} has won: {reason}.",
        "won-you": "You have won: {reason}.",
        "drawn": "Draw: {reason}.",
        "turn": "To move: {name}.",
        "turn-you": "It is your turn.",
        "title": "Malawi: {name} is to move",
        "title-you": "Malawi: it is your turn",
        "title-won": "Malawi: {name} has won",
        "title-won-you": "Malawi: you have won",
        "title-drawn": "Malawi: a draw",
        "title-over": "Malawi: the match is over",
        "title-chosen": "Malawi: {line} chosen",
        "rows": "Row {top} at the top, {bottom} at the bottom.",
        "side-1": "{name}, round light beads: {pieces}.",
        "side-2": "{name}, angular dark beads: {pieces}.",
        "last": "Last turn {line}.",
        "piece": "{square}: {name}, strength {strength}",
        "sum": "{name}, beads: {sum}",
        "sum-you": "{name} (you), beads: {sum}",
    },
}

WORDS: Words = {
    "de": {**GENERAL["de"], **_REFUSALS["de"], **_CHOICES["de"], **_TOLD["de"]},
    "en": {**GENERAL["en"], **_REFUSALS["en"], **_CHOICES["en"], **_TOLD["en"]},
}
