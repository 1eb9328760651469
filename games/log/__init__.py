r"""The match log `pbem/1`: one text file from which a match can be replayed and checked.

This package reads and writes it and knows no game. Here is the whole format: enough to write
another verifier, together with the docstring of `games.chance` (how outcomes follow from chains)
and the rules of the game that record 0 names.

H is SHA-256 and LF the byte 0x0A. *b64url* is base64url without padding, *b64* is base64 with
padding; in both only the spelling that an encoder produces is valid. Numbers in texts are decimal,
without sign and leading zeros. Codes like E_JSON are the answers to faults; the first fault in the
order of "Judging" is the one that is told.

## The file

`<match id>.mlog`, UTF-8, every line ended by one LF. It has up to three sections with an empty line
between them:

    {"at":"2026-11-02T09:00:00Z", ...     1: the records, one on each line
    {"at":"2026-11-02T09:12:29Z", ...

    pbem.example/match-head/v1            2: the head, a signed note over the newest record
    ...

    c2sp.org/tlog-proof@v1                3, optional: where the head stands in the service's log
    ...

Section 1 reaches to the first empty line. Section 3 begins at the line `c2sp.org/tlog-proof@v1`
that comes first after an empty line. A byte order mark is E_BOM, CR LF anywhere E_CRLF, a last
line without LF (or an empty file) E_EOF.

## A line

Its bytes without the LF are looked at in four steps; of several faults in one step any may be told.

1. At most 990 bytes (E_LINELEN), no CR at the end (E_CRLF), only 0x20 to 0x7E (E_ASCII), no
   backslash (E_ESCAPE): texts hold printable ASCII without `"` and `\`.
2. One JSON object (E_JSON); no name twice in an object (E_DUPKEY); numbers are integers from
   -(2^53-1) to 2^53-1, never `-0`, `7.0`, `7e0` or `NaN` (E_NUMBER); objects and lists nest at most
   six deep, the record counting as one (E_DEPTH); names are `[a-z0-9][a-z0-9_-]{0,31}` (E_KEY).
3. Names in ASCII order, no blank between values: writing the object again gives these bytes, as
   RFC 8785 would (E_NONCANON).
4. An `open` with a text other than `pbem/1` as `fmt` is E_VERSION. Then exactly the fields of the
   type with values of the right kind, everything else E_SCHEMA; bytes given as a text that is not
   their b64url, or of another length, are E_B64.

The *hash* of a record is H(line, LF), so `sed -n 1p FILE | sha256sum` shows that of record 0.

## Fields

In every record:

    t      its type
    m      the match: `m_` and 16 of `0-9 A-H J K M N P-T V-Z`, the same in all records
    n      its number, from 0
    prev   the hash of the record before; "" in record 0
    at     the server's time, `2026-11-02T09:00:00Z`, years 0001 to 9999, never going back

In what players say (`join`, `ent`, `move`, `act`) also:

    on     the number of the record that the player had in view
    p      an object, the player's own words and all that a signature covers
    via    `key`, `link`, `web`, `mail`, `api`, or in a `move` `cond` (a condition left before)
    sig    exactly when `via` is `key`: 64 bytes, see "Signatures of players"
    ev     exactly when `via` is `mail`: 32 bytes, H of the mail as it came

Bytes are b64url texts; where no length is given they are 32. `k` numbers the elements of a chain
from 1. A pid, a player's name in this match only, is `p_` and 1 to 20 letters or digits. `?` marks
what may be missing.

    open    fmt      "pbem/1"
            serial   how many matches the service has opened, this one included; from 1
            rules    {"id": text, "ver": from 1}
            opts     {option: text}, every option of the game
            seats    how many
            clock    text, the service's own notation
            level    "F0" no chance, "F1" plain entropy, "F2" sealed entropy
            keys     {"heads": vkey, "log": vkey}, where to look; no reason to trust them
            rng      at F1 and F2 only: {"alg": "pbem-rng/1", "chains": {"hid": C, "pub": C}},
                     C = {"n": elements, at least 1, "tip": element 0}
    join    p        {"pid", "ent"?, "entc"?, "key"?}: not both entropy and commitment; key is an
                     Ed25519 public key, which then signs this very record
    ent     p        {"pid", "ent"}
    start   seats    {"1": pid, "2": pid, ...}
            k, d     the element of `pub` that drew them; both or neither
    deal    k        the element of `hid` that shuffles hidden cards
    roll    k, d     the element of `pub`
            of       what the rules asked for: [sides, ...], each 1 to 2^32, or {"shuffle": [ids]}
            out      what came: numbers, or the ids shuffled
    move    p        {"seat": number, "mv": a turn line in the stored notation of the game}
            src      exactly when `via` is `cond`: H of the condition as the service keeps it
    act     p        {"seat", "act", "key"?}: resign, offer-draw, accept-draw, decline-draw,
                     offer-void, accept-void, pause, resume, or rekey, which alone has a key
    sys     why      text
            sys      and what belongs to it: timeout (seat), substitute (seat, pid, key?),
                     adjudicate, clock (secs, seat?), void, rekey (seat, key)
    reveal  k, d     an element of `hid`
    end     res      {seat: place}, seats "1" to "9", places from 1; {} if void
            why      the reason, a word
            state    H of the final state, as the rules of the game write it on a line of this kind

## The order of records

`open` first and only there; one `join` for each seat, with different pids; at F2 an `ent` for each
`entc`; `start`; then the match. Once the rules ask for chance, its `roll` (chain `pub`) or `deal`
(chain `hid`) is next, with the very request; only a `sys` may come between. Before `start` a `sys`
is `void` or `clock`. A match that is over goes on with `reveal` 1, 2, ... for every deal, then
`end`. Anything else is E_PHASE.

A `move` is by the seat to move, and its line neither goes on behind the move that ends the turn or
asks for chance, nor is it spelled otherwise than stored. An `act` may come from any seat still in
the match. `resign` and `timeout` take a seat out. An offer stands until somebody else declines it,
a seat that has not agreed moves, or a seat leaves; while it stands there is no second, and without
one nothing to accept or decline (E_PHASE). Once all seats left have agreed, the match is over:
`agreed`, all sharing place 1, or `void`. After `adjudicate` the places are the operator's. With a
single seat or side left the match is over.

A place is 1 plus the number of seats ahead, so equals share theirs, as do partners. Whoever left is
behind all who stayed, and behind those who left later.

The record a player had in view is older than the player's own, and no older than the newest
`start`, `deal`, `roll` or `move` (E_STALE).

Entropy: none at F0; `ent` in every `join` at F1; `entc` in every `join` at F2, where the second of
two may bring `ent` at once (E_ENTROPY).

## Signatures of players

Ed25519 (RFC 8032) over six lines, each ended by LF:

    pbem-player/1
    <m>
    <t>
    <on>
    <b64url of the hash of record on>
    <p, written as on a line>

Whoever registered a key signs everything (E_PLAYER_UNSIGNED); a signature that does not hold, or
by a seat without a key, is E_PLAYER_SIG. A `rekey` by the player is signed by the old key and
counts from the next record.

Libraries differ over a few points of the curve, and under one of them a single signature fits
every text. So keys, and the first halves of signatures, are looked at first: take the 32 bytes as
a little-endian number without its top bit, y; with p = 2^255-19 they are refused if y >= p, or if y
is 0, 1, p-1, y8 or p-y8, where y8 is the number of the bytes

    c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a

Registering such a key, by a player or by `sys`, is E_WEAK_KEY.

## Notes, head and proof

Notes and keys are those of C2SP signed-note: text lines, an empty line, and lines
`— <name> <b64(key id, signature)>` (em dash). A key as text, a *vkey*, is
`<name>+<key id in hex>+<b64(kind, public key)>`, the key id being the first four bytes of
H(name, LF, kind, public key). Kind 0x01 signs the text of the note; 0x04, a witness, prefixes its
signature with a time (8 bytes, big-endian Unix seconds) and signs
`cosignature/v1` LF `time <time>` LF and the text. Signatures by keys unknown to the verifier are
passed over; a bad one by a known key spoils the note.

The text of a head is four lines: `<service>/match-head/v1`, m, the number of records, b64 of the
hash of the last. Its key is named `<service>/heads`.

Section 3 is a C2SP tlog-proof: below its first line `index <i>`, then b64 hashes from leaf to root,
an empty line, and a checkpoint, which is a note by the key `<service>/log` with that name, the size
of the tree and b64 of its root as lines. The tree is that of RFC 6962: leaves H(0x00, text of the
head), nodes H(0x01, left, right).

A policy says who is trusted: a C2SP tlog-policy with lines `heads <vkey>` for head keys. Without
one the keys of record 0 are taken, and trust is not checked.

## Judging

    1 file      E_BOM  E_CRLF  E_EOF
    2 lines     for each in turn: the four steps above; no record at all, or `open` missing at the
                beginning or coming again, E_SCHEMA; other match E_MATCH; number too large E_GAP,
                too small by one E_DUP, by more E_ORDER; `prev` E_CHAIN; `at` no time or
                going back E_TIME; anything behind `end` E_AFTER_END
    3 head      no note E_NOTE; bad signature by a trusted key E_HEAD_SIG, none E_HEAD_KEY; other
                text E_HEAD; other match E_HEAD_MATCH; counts more records than there are
                E_TRUNCATED, fewer E_TAIL; other hash E_HEAD_HASH
    4 receipts  earlier heads, in the same way; counts more E_ROLLBACK, other hash E_FORK
    5 proof     asked for and missing E_NOPROOF; wrong path E_INCLUSION; checkpoint no note E_NOTE,
                badly signed E_CHECKPOINT_SIG, not by a trusted log E_CHECKPOINT_KEY; too few
                witnesses E_QUORUM
    6 match     rules, seats or options unknown E_RULES; over the whole file: element out of turn or
                beyond the chain E_CHAIN_ORDER, not on it E_PUB_ELEMENT or E_HID_ELEMENT, a deal
                not revealed at `end` E_UNREVEALED; then for each record E_PHASE, E_STALE,
                E_WEAK_KEY, E_PLAYER_UNSIGNED, E_PLAYER_SIG, E_TURN (not to move, not in the match),
                E_ENTROPY, E_HAND (a card not held), E_ILLEGAL; E_SEATS and E_DICE_OUT for another
                outcome than the chain gives; at `end` E_RESULT and E_STATE

Hidden elements are taken from the `reveal` records further down; until those exist, what a running
match dealt is unknown and moves are checked for signature and staleness alone.

## The verdict

A fault is told by its code and the number of the record it was found at: `E_CHAIN 5`, or `E_NOTE -`
where no record is meant. Without one, lines say what holds, in this order:

    INTACT 34 records, complete
        (steps 1 to 3) these are the records that the head counts and signs; `unfinished`: no `end`
    LOGGED index 102 of 210 2026-11-05T10:00:03Z
        (5) the head is in the service's log of that size, in that place; then when each witness
        that counts saw it. Missing without section 3, or if the policy names no log
    CONSISTENT with 2 receipts
        (4) nothing has changed since these heads. Missing if none were given
    PLAYED malawi/1 goal 1=1 2=2
        (6) all was done by version 1 of the rules; why it ended, and seat=place, or `unfinished`.
        Missing while a deal is unrevealed, since hands are unknown so long
    FAIR F1
        (6) the lot, dice and shuffles are those of the chains, with entropy of that level; at F0
        there is nothing of these. `FAIR F1, 1 of 2 deals unrevealed` as long as that is so
    seat 1: signed 12/12 by key rwaj4ykXFOTzVsGcmxXNGVHsbmZiqne-B1R_KJODNB0
        from `start` on: of all records (`join`, `ent`, `move`, `act`) by who holds the seat now, so
        many are signed; and the key that signs for the seat now
    seat 2: operator's word, substituted at 9
        no key: that somebody else played this is the operator's word. After either, at which
        records the operator did something to the seat: `substituted`, `key recovered`
    note: no policy was given; the keys are those that record 0 names, whoever they belong to
        whatever else should be known, in words

## An example

>>> import json
>>> from base64 import b64encode, urlsafe_b64encode
>>> from hashlib import sha256
>>> from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
>>> def line(**fields):
...     return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
>>> def b64url(data):
...     return urlsafe_b64encode(data).rstrip(b"=").decode()

A service makes its two keys, names itself and opens a match without chance.

>>> head_key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
>>> def key_id(name, key):
...     return sha256(name.encode() + b"\n" + key).digest()[:4]
>>> def vkey(name, private):
...     key = b"\x01" + private.public_key().public_bytes_raw()
...     return f"{name}+{key_id(name, key).hex()}+{b64encode(key).decode()}"
>>> heads = vkey("pbem.example/heads", head_key)
>>> heads
'pbem.example/heads+e0fe2d96+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
>>> log = vkey("pbem.example/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))
>>> record0 = line(
...     t="open", m="m_4T9KQ2ZC7WX1D3HV", n=0, prev="", at="2026-11-02T09:00:00Z",
...     fmt="pbem/1", serial=1, rules={"id": "chess", "ver": 1}, opts={"draw": "yes"},
...     seats=2, clock="none", level="F0", keys={"heads": heads, "log": log},
... )
>>> hash0 = sha256(record0 + b"\n").digest()
>>> b64url(hash0)
'GjkPcbfCvShZwEVW9akvRdmrAQZy6KHT7mk-d9nsx0g'

Alice joins with a key of her own, which signs what she says.

>>> alice = Ed25519PrivateKey.from_private_bytes(b"a" * 32)
>>> p = {"pid": "p_alice7Q", "key": b64url(alice.public_key().public_bytes_raw())}
>>> said = "\n".join(
...     ["pbem-player/1", "m_4T9KQ2ZC7WX1D3HV", "join", "0", b64url(hash0), line(**p).decode(), ""]
... )
>>> sig = alice.sign(said.encode())
>>> record1 = line(
...     t="join", m="m_4T9KQ2ZC7WX1D3HV", n=1, prev=b64url(hash0), at="2026-11-02T09:12:29Z",
...     on=0, p=p, via="key", sig=b64url(sig),
... )
>>> for start in range(0, len(record1), 90):
...     print(record1[start : start + 90].decode())
{"at":"2026-11-02T09:12:29Z","m":"m_4T9KQ2ZC7WX1D3HV","n":1,"on":0,"p":{"key":"rwaj4ykXFOT
zVsGcmxXNGVHsbmZiqne-B1R_KJODNB0","pid":"p_alice7Q"},"prev":"GjkPcbfCvShZwEVW9akvRdmrAQZy6
KHT7mk-d9nsx0g","sig":"bA_e2idCibNN7nQgbN3ajGildKc53huCPw57RUqEeg0L-AuDRJFQ2DFl9FONPqr5eiq
YTnIkqBGwp2WAwRWDBw","t":"join","via":"key"}
>>> hash1 = sha256(record1 + b"\n").digest()

The service signs the head, and the file is complete as far as the match has come.

>>> text = f"pbem.example/match-head/v1\nm_4T9KQ2ZC7WX1D3HV\n2\n{b64encode(hash1).decode()}\n"
>>> signed = bytes.fromhex(heads.split("+")[1]) + head_key.sign(text.encode())
>>> note = f"{text}\n— pbem.example/heads {b64encode(signed).decode()}\n"
>>> print(text, end="")
pbem.example/match-head/v1
m_4T9KQ2ZC7WX1D3HV
2
DCAtgKR0HMuaNFUOp4PisSSWzO8vMb4bGke8uDBDJQA=
>>> b64encode(signed).decode()
'4P4tloA39PXjedYCCSoAT9Ivzj+Ji7es2lh8wvyN9SltFT5wmBbRUmIUCDPJXC250LKhpiLcSbobr69Tja6Ms1HCmw4='
>>> file = record0 + b"\n" + record1 + b"\n\n" + note.encode()

This package reads it so:

>>> from games.log.file import split
>>> from games.log.note import Verifier, open_note
>>> from games.log.sequence import records
>>> sections = split(file)
>>> [type(record.body).__name__ for record in records(sections.lines)]
['Open', 'Join']
>>> open_note(sections.head, [Verifier.parse(heads)]).text == text
True
"""
