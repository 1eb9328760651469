"""Signed notes, against the published keys and notes of C2SP and of Go's sumdb/note."""

from __future__ import annotations

import base64
import hashlib

import pytest

from games.log.note import (
    COSIGNATURE,
    MOST_SIGNATURES,
    BadKey,
    BadNote,
    BadSignature,
    NoSignature,
    Signer,
    Verifier,
    b64,
    open_note,
    parse,
    sign,
)

# golang.org/x/mod, sumdb/note: the two keys of its documentation and tests.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
PETER_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngo"
    "tpRZb6KE6RyyBwJnAM=\n"
)
ENOCH_LINE = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWL"
    "ox33WWd1RvMc+QQ=\n"
)

# C2SP, signed-note.md: the example key and note.
FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOO_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mF"
    "XmRKuwHjG1Yu72IneyaQM=\n"
)


def peter() -> Verifier:
    return Verifier.parse(PETER)


def enoch() -> Verifier:
    return Verifier.parse(ENOCH)


def test_the_published_key_signs_the_published_note() -> None:
    signer = Signer.parse(PETER_PRIVATE)
    assert signer.vkey == PETER
    assert signer.private == PETER_PRIVATE
    assert sign(TEXT, signer) == TEXT + "\n" + PETER_LINE


def test_the_example_of_the_specification_opens() -> None:
    opened = open_note(FOO_NOTE, [Verifier.parse(FOO)])
    assert opened.text == "This is an example message.\n"
    assert [signed.by.vkey for signed in opened.by] == [FOO]


def test_a_key_shows_nothing_of_itself_when_printed() -> None:
    signer = Signer.parse(PETER_PRIVATE)
    assert "AYEKFALV" not in repr(signer)
    assert str(signer.seed) not in repr(signer)


def test_signatures_by_known_keys_are_named_and_others_ignored() -> None:
    both = TEXT + "\n" + PETER_LINE + ENOCH_LINE
    assert [signed.by.name for signed in open_note(both, [peter()]).by] == ["PeterNeumann"]
    assert [signed.by.name for signed in open_note(both, [enoch(), peter()]).by] == [
        "PeterNeumann",
        "EnochRoot",
    ]
    with pytest.raises(NoSignature):
        open_note(both, [])


def test_a_name_or_an_id_alone_makes_no_known_key() -> None:
    other_id = b64(b"\0\0\0\0" + bytes(64))
    note = f"{TEXT}\n{PETER_LINE}— PeterNeumann {other_id}\n"
    assert len(open_note(note, [peter()]).by) == 1
    renamed = TEXT + "\n" + PETER_LINE.replace("PeterNeumann", "CarmenSandiego")
    with pytest.raises(NoSignature):
        open_note(renamed, [peter()])


def test_one_bad_signature_by_a_known_key_spoils_the_note() -> None:
    swapped = PETER_LINE.replace("x08go/ZJ", "x08go/ZK")
    for lines in (swapped, PETER_LINE + swapped, swapped + ENOCH_LINE):
        with pytest.raises(BadSignature):
            open_note(TEXT + "\n" + lines, [peter(), enoch()])
    assert open_note(TEXT + "\n" + swapped + ENOCH_LINE, [enoch()]).by[0].by == enoch()


def test_another_text_is_not_signed() -> None:
    with pytest.raises(BadSignature):
        open_note(TEXT.replace("answer", "Answer") + "\n" + PETER_LINE, [peter()])


def test_a_note_may_have_empty_lines_in_its_text() -> None:
    signer = Signer.parse(PETER_PRIVATE)
    for text in ("\n", "a\n\nb\n", "a\n\n\n", "\n\na\n", "— a b\n\n"):
        assert open_note(sign(text, signer), [peter()]).text == text


def test_sixteen_signatures_and_more_are_read_but_not_any_number() -> None:
    note = TEXT + "\n" + PETER_LINE * MOST_SIGNATURES
    assert len(open_note(note, [peter()]).by) == MOST_SIGNATURES
    with pytest.raises(BadNote):
        open_note(note + PETER_LINE, [peter()])
    with pytest.raises(BadNote):
        parse(TEXT + "\n" + ENOCH_LINE * 100_000)


MALFORMED = {
    "empty": "",
    "text alone": TEXT,
    "no signature line": TEXT + "\n",
    "no last line feed": TEXT + "\n" + PETER_LINE[:-1],
    "no empty line": TEXT + PETER_LINE,
    "no text": "\n" + PETER_LINE,
    "control character": "\x01" + TEXT + "\n" + PETER_LINE,
    "carriage returns": (TEXT + "\n" + PETER_LINE).replace("\n", "\r\n"),
    "tab": TEXT.replace(" ", "\t") + "\n" + PETER_LINE,
    "a line more": TEXT + "\n" + PETER_LINE + "Unexpected line.\n",
    "an empty line more": TEXT + "\n" + PETER_LINE + "\n",
    "blank in the name": TEXT + "\n" + PETER_LINE.replace("PeterNeumann", "Peter Neumann"),
    "no-break space in the name": TEXT + "\n" + PETER_LINE.replace("rN", "r\u00a0N"),
    "plus in the name": TEXT + "\n" + PETER_LINE.replace("PeterNeumann", "Peter+Neumann"),
    "no name": TEXT + "\n" + PETER_LINE.replace("PeterNeumann", ""),
    "no signature": TEXT + "\n— PeterNeumann \n",
    "only a key id": TEXT + "\n— PeterNeumann x08gow==\n",
    "hyphen for the dash": TEXT + "\n" + PETER_LINE.replace("—", "-"),
    "two blanks": TEXT + "\n" + PETER_LINE.replace("— ", "—  "),
    "no base64": TEXT + "\n" + PETER_LINE.replace("x08go/", "x08go_"),
    "no padding": TEXT + "\n" + PETER_LINE.replace("=", ""),
    "stray bits": TEXT + "\n" + PETER_LINE.replace("AM=", "AN="),
    "blank at the end": TEXT + "\n" + PETER_LINE.replace("=", "= "),
}


@pytest.mark.parametrize("note", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_note_is_refused_whoever_is_known(note: str) -> None:
    for known in ([], [peter()]):
        with pytest.raises(BadNote) as refused:
            open_note(note, known)
        assert refused.type is BadNote
        with pytest.raises(BadNote):
            open_note(note.encode(), known)


def test_what_is_no_utf_8_is_no_note() -> None:
    good = (TEXT + "\n" + PETER_LINE).encode()
    for bad in (b"\xff" + good, good.replace(b"problem", b"probl\xe9m"), b"\xed\xa0\x80" + good):
        with pytest.raises(BadNote):
            open_note(bad, [peter()])
    with pytest.raises(BadNote):
        open_note("\ud800" + good.decode(), [peter()])


def test_only_what_reads_back_is_signed() -> None:
    signer = Signer.parse(PETER_PRIVATE)
    for text in ("", "no line feed", "a\rb\n", "tab\t\n", "\udcff\n"):
        with pytest.raises(BadNote):
            sign(text, signer)


def pieces(text: str) -> list[str]:
    every = range(len(text) + 1)
    return [text[i:j] for i in every for j in every[i + 1 :] if (i, j) != (0, len(text))]


def changed(text: str) -> list[str]:
    """Every one-character change to its neighbour in the alphabet of Unicode."""
    return [text[:i] + chr(ord(text[i]) + 1) + text[i + 1 :] for i in range(len(text))]


@pytest.mark.parametrize(
    ("parse_key", "text"),
    [(Verifier.parse, PETER), (Signer.parse, PETER_PRIVATE)],
    ids=["vkey", "private key"],
)
def test_no_part_and_no_change_of_a_key_is_a_key(parse_key: type, text: str) -> None:
    for mangled in (*pieces(text), *changed(text)):
        with pytest.raises(BadKey):
            parse_key(mangled)


def vkey(name: str, data: bytes) -> str:
    key_id = hashlib.sha256(name.encode(errors="replace") + b"\n" + data).hexdigest()[:8]
    return f"{name}+{key_id}+{base64.b64encode(data).decode()}"


def test_a_key_of_another_kind_or_length_or_name_is_refused() -> None:
    key = peter().key
    assert Verifier.parse(vkey("PeterNeumann", b"\x01" + key)) == peter()
    for name, data in [
        ("PeterNeumann", b"\x01" + key + b"\0"),
        ("PeterNeumann", b"\x01" + key[:-1]),
        ("PeterNeumann", b"\x02" + key),
        ("PeterNeumann", b"\x06" + key),
        ("", b"\x01" + key),
        ("Peter Neumann", b"\x01" + key),
        ("Peter\u2003Neumann", b"\x01" + key),
        ("Peter\nNeumann", b"\x01" + key),
        ("Peter\ud800Neumann", b"\x01" + key),
    ]:
        with pytest.raises(BadKey):
            Verifier.parse(vkey(name, data))
    with pytest.raises(BadKey):
        Verifier.parse(PETER.replace("c74f20a3", "C74F20A3"))


def test_a_key_is_made_of_32_bytes_and_a_name() -> None:
    signer = Signer.generate("example.org/heads", bytes(range(32)))
    assert Signer.parse(signer.private) == signer
    assert Verifier.parse(signer.vkey) == signer.verifier
    for name, entropy in [("a b", bytes(32)), ("", bytes(32)), ("a+b", bytes(32)), ("a", b"")]:
        with pytest.raises(BadKey):
            Signer.generate(name, entropy)


def test_a_weak_key_signs_nothing() -> None:
    identity = Verifier("w", 1, (1).to_bytes(32, "little"))
    forged = (1).to_bytes(32, "little") + bytes(32)
    note = f"any text\n\n— w {b64(identity.id + forged)}\n"
    with pytest.raises(BadSignature):
        open_note(note, [identity])


CHECKPOINT = "example.com/log\n1\n" + b64(bytes(32)) + "\n"


def test_a_witness_signs_the_time_and_the_checkpoint() -> None:
    log = Signer.generate("example.com/log", bytes(32))
    witness = Signer.generate("w.example", bytes([1] * 32), COSIGNATURE)
    note = sign(CHECKPOINT, log) + witness.cosign(CHECKPOINT, 1679315147)
    known = [log.verifier, witness.verifier]
    assert [(signed.by.name, signed.time) for signed in open_note(note, known).by] == [
        ("example.com/log", None),
        ("w.example", 1679315147),
    ]


def test_a_cosignature_holds_for_its_time_only() -> None:
    witness = Signer.generate("w.example", bytes(32), COSIGNATURE)
    signed = parse(CHECKPOINT + "\n" + witness.cosign(CHECKPOINT, 1000)).signatures[0].signature
    text = CHECKPOINT.encode()
    assert witness.verifier.verify(text, signed)
    assert not witness.verifier.verify(text, (1001).to_bytes(8, "big") + signed[8:])
    assert not witness.verifier.verify(text, signed[8:])
    assert not witness.verifier.verify(text, b"")


@pytest.mark.parametrize(("time", "good"), [(2**63 - 1, True), (2**63, False)])
def test_a_time_past_the_last_is_no_time(time: int, good: bool) -> None:
    witness = Signer.generate("w.example", bytes(32), COSIGNATURE)
    signed = parse(CHECKPOINT + "\n" + witness.cosign(CHECKPOINT, time)).signatures[0]
    assert witness.verifier.verify(CHECKPOINT.encode(), signed.signature) is good


def test_the_same_key_has_another_id_for_another_use() -> None:
    plain, witness = Signer.generate("a", bytes(32)), Signer.generate("a", bytes(32), COSIGNATURE)
    assert plain.verifier.key == witness.verifier.key
    assert plain.verifier.id != witness.verifier.id
    with pytest.raises(NoSignature):
        open_note(sign(CHECKPOINT, plain), [witness.verifier])
