"""What each code of a bad log means, in a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.drawing import Language

_DE: Mapping[str, str] = {
    "E_BOM": "Vor dem ersten Zeichen steht eine Bytemarke; ein Editor hat die Datei verändert.",
    "E_CRLF": "Die Zeilenenden sind verändert, meist durch eine Mail; "
    "nimm den Anhang und nicht den Text.",
    "E_EOF": "Am Ende fehlt der Zeilenumbruch; die Datei ist abgeschnitten.",
    "E_LINELEN": "Die Zeile ist länger, als ein Satz sein darf.",
    "E_ASCII": "Die Zeile enthält ein Zeichen, das in keinem Satz vorkommt.",
    "E_ESCAPE": "Die Zeile enthält einen Rückstrich, der in keinem Satz vorkommt.",
    "E_JSON": "Die Zeile ist kein Satz; wurde sie zitiert oder umgebrochen, nimm den Anhang.",
    "E_DUPKEY": "Ein Feld steht zweimal da.",
    "E_NUMBER": "Eine Zahl ist anders geschrieben, als sie in einem Satz stehen darf.",
    "E_DEPTH": "Die Zeile ist tiefer verschachtelt, als ein Satz sein darf.",
    "E_KEY": "Ein Feld hat einen Namen, den kein Feld haben darf.",
    "E_NONCANON": "Der Satz ist anders geschrieben, als er geschrieben sein muss.",
    "E_VERSION": "Das Protokoll hat ein Format, das diese Prüfung nicht kennt.",
    "E_SCHEMA": "Die Zeile hat nicht genau die Felder eines Satzes, der hier stehen kann.",
    "E_B64": "Ein binärer Wert ist anders geschrieben, als er in einem Satz stehen darf.",
    "E_MATCH": "Der Satz gehört zu einer anderen Partie.",
    "E_GAP": "Davor fehlt ein Satz.",
    "E_DUP": "Derselbe Satz steht zweimal da.",
    "E_ORDER": "Ein früherer Satz steht noch einmal da.",
    "E_CHAIN": "Der Satz schließt nicht an den vorigen an: Der vorige wurde verändert.",
    "E_TIME": "Die Zeit ist keine oder liegt vor der des vorigen Satzes.",
    "E_AFTER_END": "Nach dem Ende der Partie steht noch ein Satz.",
    "E_NOTE": "Eine Unterschrift fehlt oder ist unleserlich.",
    "E_HEAD_SIG": "Die Unterschrift unter dem Protokoll ist falsch.",
    "E_HEAD_KEY": "Das Protokoll hat niemand unterschrieben, dem diese Prüfung traut.",
    "E_HEAD": "Unterschrieben ist etwas anderes als der Stand einer Partie.",
    "E_HEAD_MATCH": "Unterschrieben ist der Stand einer anderen Partie.",
    "E_TRUNCATED": "Unterschrieben sind mehr Sätze, als die Datei hat: Das Ende fehlt.",
    "E_TAIL": "Die Datei hat mehr Sätze, als unterschrieben sind.",
    "E_HEAD_HASH": "Unterschrieben sind andere Sätze als die in der Datei.",
    "E_ROLLBACK": "Eine Quittung bestätigt mehr Sätze, als die Datei hat.",
    "E_FORK": "Eine Quittung bestätigt einen anderen Verlauf als die Datei.",
    "E_NOPROOF": "Der Nachweis fehlt, dass die Partie im öffentlichen Verzeichnis steht.",
    "E_INCLUSION": "Der Nachweis führt nicht in das öffentliche Verzeichnis.",
    "E_CHECKPOINT_SIG": "Eine Unterschrift unter dem Stand des Verzeichnisses ist falsch.",
    "E_CHECKPOINT_KEY": "Den Stand des Verzeichnisses hat niemand unterschrieben, "
    "dem diese Prüfung traut.",
    "E_QUORUM": "Den Stand des Verzeichnisses haben zu wenige Zeugen unterschrieben.",
    "E_RULES": "Dieses Spiel, diese Fassung oder eine Option ist hier unbekannt.",
    "E_CHAIN_ORDER": "Ein Zufallswert ist außer der Reihe verwendet.",
    "E_PUB_ELEMENT": "Der Zufallswert ist nicht der, der vor der Partie festgelegt wurde.",
    "E_HID_ELEMENT": "Die aufgedeckte Verteilung ist nicht die vor der Partie festgelegte.",
    "E_UNREVEALED": "Die Partie ist zu Ende, aber eine Verteilung ist nicht aufgedeckt.",
    "E_PHASE": "Dieser Satz kann an dieser Stelle nicht stehen.",
    "E_STALE": "Gespielt wurde auf eine Stellung, die es nicht mehr gab.",
    "E_WEAK_KEY": "Der Schlüssel ist wertlos: Eine Unterschrift passt zu jedem Text.",
    "E_PLAYER_UNSIGNED": "Dem Satz fehlt die Unterschrift, die dieser Platz immer leistet.",
    "E_PLAYER_SIG": "Die Unterschrift des Platzes passt nicht zu diesem Satz.",
    "E_TURN": "Dieser Platz war nicht am Zug oder nicht mehr in der Partie.",
    "E_ENTROPY": "Der Beitrag zum Zufall passt nicht zur Partie oder nicht zu seiner Zusage.",
    "E_HAND": "Gespielt wurde eine Karte, die nicht auf der Hand war.",
    "E_ILLEGAL": "Die Regeln erlauben diesen Zug nicht.",
    "E_SEATS": "Die Plätze sind andere, als das Los ergab.",
    "E_DICE_OUT": "Das Ergebnis ist ein anderes, als der Zufallswert ergibt.",
    "E_RESULT": "Das Ergebnis ist nicht das der Partie.",
    "E_STATE": "Die Schlussstellung ist nicht die der Partie.",
}

_EN: Mapping[str, str] = {
    "E_BOM": "A byte order mark stands before the first letter; an editor has changed the file.",
    "E_CRLF": "The line ends were changed, mostly by mail; take the attachment, not the text.",
    "E_EOF": "The last line feed is missing; the file has been cut off.",
    "E_LINELEN": "The line is longer than a record may be.",
    "E_ASCII": "The line has a character that occurs in no record.",
    "E_ESCAPE": "The line has a backslash, which occurs in no record.",
    "E_JSON": "The line is no record; if it was quoted or wrapped, take the attachment instead.",
    "E_DUPKEY": "A field stands there twice.",
    "E_NUMBER": "A number is not written as records write it.",
    "E_DEPTH": "The line is nested deeper than a record may be.",
    "E_KEY": "A field has a name that no field may have.",
    "E_NONCANON": "The record is not written the one way it must be written.",
    "E_VERSION": "The log has a format that this check does not know.",
    "E_SCHEMA": "The line does not have exactly the fields of a record that can stand here.",
    "E_B64": "A binary value is not written as records write it.",
    "E_MATCH": "The record belongs to another match.",
    "E_GAP": "A record before this one is missing.",
    "E_DUP": "The same record stands there twice.",
    "E_ORDER": "An earlier record stands there again.",
    "E_CHAIN": "The record does not continue the one before it: that one was changed.",
    "E_TIME": "The time is none, or lies before that of the record above.",
    "E_AFTER_END": "A record stands after the end of the match.",
    "E_NOTE": "A signature is missing or cannot be read.",
    "E_HEAD_SIG": "The signature under the log is wrong.",
    "E_HEAD_KEY": "Nobody whom this check trusts has signed the log.",
    "E_HEAD": "What is signed is something else than the head of a match.",
    "E_HEAD_MATCH": "What is signed is the head of another match.",
    "E_TRUNCATED": "More records are signed than the file has: its end is missing.",
    "E_TAIL": "The file has more records than are signed.",
    "E_HEAD_HASH": "Other records are signed than those in the file.",
    "E_ROLLBACK": "A receipt confirms more records than the file has.",
    "E_FORK": "A receipt confirms another course of the match than the file.",
    "E_NOPROOF": "The proof is missing that the match stands in the public log.",
    "E_INCLUSION": "The proof does not lead into the public log.",
    "E_CHECKPOINT_SIG": "A signature under the state of the public log is wrong.",
    "E_CHECKPOINT_KEY": "Nobody whom this check trusts has signed the state of the public log.",
    "E_QUORUM": "Too few witnesses have signed the state of the public log.",
    "E_RULES": "This game, this version of its rules or an option is not known here.",
    "E_CHAIN_ORDER": "An element of chance is used out of its order.",
    "E_PUB_ELEMENT": "The element of chance is not the one fixed before the match.",
    "E_HID_ELEMENT": "The deal that is revealed is not the one fixed before the match.",
    "E_UNREVEALED": "The match has ended, but a deal has not been revealed.",
    "E_PHASE": "This record cannot stand in this place.",
    "E_STALE": "The player acted on a position that was no longer there.",
    "E_WEAK_KEY": "The key is worthless: one signature fits every text.",
    "E_PLAYER_UNSIGNED": "The record lacks the signature that this seat always gives.",
    "E_PLAYER_SIG": "The seat's signature does not fit this record.",
    "E_TURN": "This seat was not to move, or no longer in the match.",
    "E_ENTROPY": "What the player brought to chance does not fit the match or its commitment.",
    "E_HAND": "A card was played that was not in the hand.",
    "E_ILLEGAL": "The rules do not allow this move.",
    "E_SEATS": "The seats are others than the lot gave.",
    "E_DICE_OUT": "The outcome is another than the element of chance gives.",
    "E_RESULT": "The result is not that of the match.",
    "E_STATE": "The final state is not that of the match.",
}

SENTENCES: Mapping[Language, Mapping[str, str]] = {"de": _DE, "en": _EN}

_HOLDS: Mapping[Language, str] = {
    "de": "Alles, was zu prüfen war, stimmt.",
    "en": "Everything that was to be checked holds.",
}
_AT: Mapping[Language, str] = {"de": "Satz {record}: {said}", "en": "Record {record}: {said}"}


def sentence(code: str | None, record: int | None, language: Language) -> str:
    """What a verdict means: that of a code, with the record it was found at, or that all holds."""
    if code is None:
        return _HOLDS[language]
    said = SENTENCES[language][code]
    return said if record is None else _AT[language].format(record=record, said=said)
