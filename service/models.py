"""The tables. SQLModel defines them; the hot paths use the Core tables named at the end.

Times are Unix seconds. Data is checked before it becomes a row: a table validates nothing.
"""

from sqlalchemy import BigInteger, CheckConstraint, Index, Integer, Table, UniqueConstraint
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "pk": "pk_%(table_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
}

Big = BigInteger().with_variant(Integer, "sqlite")
"""Times and ids: 64 bits on both engines."""


class Service(SQLModel, table=True):
    """The one row of this service: its name, the keys it was made with, and the counter."""

    __table_args__ = (CheckConstraint("id = 1", name="one"),)

    id: int = Field(primary_key=True)
    name: str
    heads: str
    """The vkey of heads."""
    log: str
    """The vkey of the service's log."""
    link_key: str
    """A fingerprint, as is the next: a start with another key is refused."""
    secret_key: str
    serial: int = Field(sa_type=Big)
    """Of the last `open`; raised in the transaction that writes one, so that no gap arises."""


class Player(SQLModel, table=True):
    """A person who has confirmed a mail address."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    address: str
    """As given, for sending."""
    folded: str = Field(unique=True)
    """The address as it is compared."""
    name: str
    language: str
    zone: str
    created: int = Field(sa_type=Big)


class Session(SQLModel, table=True):
    """A cookie: of a player, or of one seat of one match until its next turn begins."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    hash: bytes = Field(unique=True)
    player: int | None = Field(default=None, foreign_key="player.id", sa_type=Big, index=True)
    match: str | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    wait: int | None = None
    """The record that the seat's turn answers or answered."""
    created: int = Field(sa_type=Big)
    expires: int = Field(sa_type=Big)
    used: int | None = Field(default=None, sa_type=Big)
    """When the day began on which a player used it last (UTC)."""
    device: str = ""
    """Browser and system, as a player tells their devices apart by."""

    __table_args__ = (Index(None, "match", "seat"),)


class Change(SQLModel, table=True):
    """What a player asked for that only their mail can confirm: another address, or the end of the
    account."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    player: int = Field(foreign_key="player.id", sa_type=Big, index=True)
    address: str
    """The new one; empty for the end of the account."""
    agreed: int | None = Field(default=None, sa_type=Big)
    """When the old address agreed."""
    confirmed: int | None = Field(default=None, sa_type=Big)
    """When the new address was confirmed."""
    created: int = Field(sa_type=Big)


class Opening(SQLModel, table=True):
    """A filled-in form "start a match": it waits for its address to be confirmed."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    key: str = Field(unique=True)
    """Made with the form, so that a form sent twice opens one match."""
    form: str
    """The form as JSON; empty once the match is open."""
    match: str | None = Field(default=None, foreign_key="match.id")
    created: int = Field(sa_type=Big)


class Match(SQLModel, table=True):
    """One play of a game. What repeats the log is an index: `records.rebuild` makes it anew."""

    id: str = Field(primary_key=True)
    code: str = Field(unique=True)
    opener: int | None = Field(foreign_key="player.id", sa_type=Big, index=True)
    """Nobody once their account is deleted."""
    listed: bool
    """Whether the archive may list it."""
    public: bool = False
    """Whether the lobby lists it as long as it has free places."""
    secret: bytes
    """The secret of its chance, sealed."""
    created: int = Field(sa_type=Big)

    game: str
    version: int
    head: bytes
    """The hash of the last record."""
    n: int
    """The number of the last record."""
    phase: str
    mover: int | None
    """The seat to move."""
    wait: int
    """The record that the turn waits on."""
    began: int = Field(sa_type=Big)
    """When the turn began."""
    deadline: int | None = Field(sa_type=Big)
    changed: int = Field(sa_type=Big)
    """The time of the last record."""
    why: str | None
    """The reason word of the end."""
    house: int | None
    """The seat of the house that is to move, or to answer an offer."""
    house_due: int | None = Field(default=None, sa_type=Big, index=True)
    """When it may try: 0 for at once, later if it is trying or has failed. No index of the log, as
    are the next two."""
    remind: int | None = Field(default=None, sa_type=Big, index=True)
    """When to see whether whoever is to move is to be reminded; 0 for at once."""
    outage: int = Field(default=0, sa_type=Big)
    """The newest outage that its clocks have been made up for."""
    stuck: int | None = Field(default=None, sa_type=Big)
    """Since when the worker cannot see to it; see `service.stuck`."""
    retry: int | None = Field(default=None, sa_type=Big, index=True)
    """When it tries again."""

    __table_args__ = (
        Index(None, "phase", "changed"),
        Index(None, "deadline", "id"),
        Index(None, "phase", "outage", "id"),
    )


class Seat(SQLModel, table=True):
    """A place of a match, to be filled; it has a seat's number only from `start` on."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    match: str = Field(foreign_key="match.id")
    place: int
    """1 is the opener's."""
    address: str
    """Where the invitation went; empty for a place that anybody may take."""
    invited: str | None = Field(default=None, index=True)
    """The same as it is compared, until somebody has joined."""
    name: str
    """As the player gave it for this match; until then as the opener wrote it; `people.GONE` once
    the account is deleted."""
    language: str
    player: int | None = Field(default=None, foreign_key="player.id", sa_type=Big, index=True)
    declined: int | None = Field(default=None, sa_type=Big)
    muted: int | None = Field(default=None, sa_type=Big)
    """Since when mails about the match are not wanted."""
    pid: str | None = None
    """As in the log; an index, like the next two."""
    number: int | None = None
    """The seat, counted from 1."""
    rank: int | None = None
    """The place that `end` gave the seat."""
    heard: int = Field(default=0, sa_type=Big)
    """The newest message of the match that the player has been shown."""
    house: bool = False
    """Whether the house plays: then there is neither player nor address, and the name is empty."""

    __table_args__ = (UniqueConstraint("match", "place"), UniqueConstraint("match", "number"))


class Record(SQLModel, table=True):
    """A line of a log, without its LF. Append-only: triggers refuse all else."""

    match: str = Field(primary_key=True, foreign_key="match.id")
    n: int = Field(primary_key=True)
    line: bytes
    hash: bytes


class Link(SQLModel, table=True):
    """A token that was mailed. Only its hash is here; the token follows from id and link key."""

    id: str = Field(primary_key=True)
    purpose: str
    hash: bytes = Field(unique=True)
    match: str | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    """The seat of a turn (`w`)."""
    wait: int | None = None
    place: int | None = Field(default=None, foreign_key="seat.id", sa_type=Big)
    """The row of `seat` that an invitation (`i`) is for."""
    player: int | None = Field(default=None, foreign_key="player.id", sa_type=Big)
    opening: int | None = Field(default=None, foreign_key="opening.id", sa_type=Big)
    change: int | None = Field(default=None, foreign_key="change.id", sa_type=Big, index=True)
    created: int = Field(sa_type=Big)
    expires: int | None = Field(default=None, sa_type=Big)
    used: int | None = Field(default=None, sa_type=Big)
    answer: str | None = None
    """What the turn line sent over it became, as JSON: the receipt, if it is sent again."""

    __table_args__ = (
        Index(None, "match", "seat", "wait"),
        Index(None, "place"),
        Index(None, "player"),
    )


class Outbox(SQLModel, table=True):
    """A mail: first what it is to say, then its bytes, then what became of it."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    kind: str
    dedup_key: str = Field(unique=True)
    match: str | None = Field(default=None, foreign_key="match.id")
    seat: int | None = None
    wait: int | None = None
    record: int | None = None
    """The newest record the mail knows: composed once its head is signed."""
    address: str
    language: str
    zone: str
    link: str | None = Field(default=None, foreign_key="link.id")
    snapshot: str
    """What the mail is to say, as JSON: data, no sentences."""
    message_id: str = Field(unique=True)
    """The part before the @, the same at every attempt."""
    state: str
    due: int = Field(sa_type=Big)
    """When the next attempt may be made, or the claim on it runs out."""
    expires: int | None = Field(default=None, sa_type=Big)
    attempts: int = 0
    owner: str | None = None
    """The claim on it: only who made it may settle it."""
    raw: bytes | None = None
    raw_sha256: bytes | None = None
    words: str | None = None
    """Its lines, without blanks and tokens: what an answer quotes is told by them."""
    bounce: bytes | None = Field(default=None, unique=True)
    """The hash of the token in the address to which it comes back."""
    last_code: int | None = None
    last_text: str | None = None
    created: int = Field(sa_type=Big)
    sent: int | None = Field(default=None, sa_type=Big)

    __table_args__ = (
        Index(None, "state", "due"),
        Index(None, "match", "state"),
        Index(None, "address", "created"),
    )


class Reach(SQLModel, table=True):
    """What is known of an address to which mail went: what came back, and what is not wanted."""

    folded: str = Field(primary_key=True)
    """The address as it is compared."""
    score: float
    """What came back lately; see `reach.bounced`."""
    scored: int = Field(sa_type=Big)
    """When something came back last."""
    suppressed: int | None = Field(default=None, sa_type=Big)
    """Since when no mail goes there."""
    uninvited: int | None = Field(default=None, sa_type=Big)
    """Since when no invitations are wanted there."""


class Wish(SQLModel, table=True):
    """What a player wishes of their mail, if it is not what everybody gets: see `wishes.Wishes`."""

    player: int = Field(primary_key=True, foreign_key="player.id", sa_type=Big)
    delivery: str
    digest: int
    quiet_from: int | None = None
    quiet_to: int | None = None
    unwanted: str
    once: bool
    returned: int = Field(sa_type=Big)
    crowded: bool
    half: bool
    first: int
    last: int
    apart: bool

    __table_args__ = (Index(None, "delivery"),)


class Vacation(SQLModel, table=True):
    """A time in which no clock of a player runs, in matches that allow it."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    player: int = Field(foreign_key="player.id", sa_type=Big)
    begins: int = Field(sa_type=Big)
    ends: int = Field(sa_type=Big)
    due: int | None = Field(sa_type=Big, index=True)
    """From when on the player's matches have to be told; None once they have been."""

    __table_args__ = (Index(None, "player", "ends"),)


class Token(SQLModel, table=True):
    """What a player gave to a program or to a reader of feeds, in place of a session."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    player: int = Field(foreign_key="player.id", sa_type=Big, index=True)
    purpose: str
    """`api` or `feed`."""
    name: str
    """As the player calls it."""
    plays: bool
    """Whether it may do more than read."""
    hash: bytes = Field(unique=True)
    created: int = Field(sa_type=Big)
    used: int | None = Field(default=None, sa_type=Big)
    """When the day began on which it was used last (UTC)."""


class Message(SQLModel, table=True):
    """What one player of a match wrote to the others; never a part of its log."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    match: str = Field(foreign_key="match.id")
    player: int = Field(foreign_key="player.id", sa_type=Big, index=True)
    text: str
    created: int = Field(sa_type=Big)
    reported: int | None = Field(default=None, sa_type=Big)
    """When somebody showed it to the operator."""

    __table_args__ = (Index(None, "match", "id"), Index(None, "reported"))


class Mute(SQLModel, table=True):
    """A player who does not want to read what another one writes."""

    player: int = Field(primary_key=True, foreign_key="player.id", sa_type=Big)
    muted: int = Field(primary_key=True, foreign_key="player.id", sa_type=Big)


class Note(SQLModel, table=True):
    """What a player keeps in mind about a match; nobody else ever reads it."""

    player: int = Field(primary_key=True, foreign_key="player.id", sa_type=Big)
    match: str = Field(primary_key=True, foreign_key="match.id")
    text: str
    changed: int = Field(sa_type=Big)


class Inbound(SQLModel, table=True):
    """A mail that came in, kept before it was acknowledged; what it came to stands in `verdict`."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    key: str = Field(unique=True)
    """Where it came from, so that what is brought twice is kept once."""
    recipient: str
    """Of the envelope, as is the next; empty if there was none."""
    sender: str
    arrived: int = Field(sa_type=Big)
    size: int
    """Of the whole mail; more than `raw` has if it was too large to keep."""
    raw: bytes | None
    sha256: bytes
    state: str
    due: int = Field(sa_type=Big)
    attempts: int = 0
    outcome: str | None = None

    __table_args__ = (Index(None, "state", "due"), Index(None, "arrived"))


class Verdict(SQLModel, table=True):
    """What a mail that came in said to one turn or invitation, and what it came to."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    route: bytes
    """The hash of what led there: a token or a Message-ID of ours."""
    identity: bytes
    """The hash of what tells the mail from others."""
    inbound: int = Field(foreign_key="inbound.id", sa_type=Big, index=True)
    link: str = Field(foreign_key="link.id", index=True)
    """Of the turn or the invitation."""
    author: str
    action: str
    reason: str
    line: str
    hold: str | None = Field(default=None, foreign_key="link.id", unique=True)
    """The link by which a line that was held can be played after all."""
    answered: bool
    """Whether a mail said what was wrong."""
    created: int = Field(sa_type=Big)

    __table_args__ = (UniqueConstraint("route", "identity"),)


class Alias(SQLModel, table=True):
    """Another address of a player, from which they may answer."""

    player: int = Field(primary_key=True, foreign_key="player.id", sa_type=Big)
    folded: str = Field(primary_key=True)
    created: int = Field(sa_type=Big)


class Quota(SQLModel, table=True):
    """What somebody has used of a quota of mails, for as long as that matters."""

    key: str = Field(primary_key=True)
    """The name of the quota, and a hash of whose it is."""
    free: int = Field(sa_type=Big)
    """From then on it is as if nothing had been used."""


class Beat(SQLModel, table=True):
    """When a part of the service was last heard of, on whatever host."""

    part: str = Field(primary_key=True)
    at: int = Field(sa_type=Big)


class Outage(SQLModel, table=True):
    """A time in which a part of the service was not heard of; no two of them overlap."""

    id: int | None = Field(default=None, primary_key=True, sa_type=Big)
    part: str
    began: int = Field(sa_type=Big)
    ended: int = Field(sa_type=Big)
    settled: int | None = Field(default=None, sa_type=Big)
    """When it had been made up for."""

    __table_args__ = (Index(None, "settled"), Index(None, "ended"))


def _table(model: type[SQLModel]) -> Table:
    return SQLModel.metadata.tables[str(model.__tablename__)]


SERVICE, PLAYER, SESSION = _table(Service), _table(Player), _table(Session)
OPENING, MATCH, SEAT = _table(Opening), _table(Match), _table(Seat)
RECORD, LINK, OUTBOX = _table(Record), _table(Link), _table(Outbox)
QUOTA, BEAT, OUTAGE = _table(Quota), _table(Beat), _table(Outage)
TOKEN, MESSAGE, MUTE, NOTE = _table(Token), _table(Message), _table(Mute), _table(Note)
INBOUND, VERDICT, ALIAS = _table(Inbound), _table(Verdict), _table(Alias)
REACH, WISH, CHANGE = _table(Reach), _table(Wish), _table(Change)
VACATION = _table(Vacation)
APPEND_ONLY = ("record",)
