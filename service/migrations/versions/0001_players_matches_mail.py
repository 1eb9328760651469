"""The tables of players, their matches and the mail to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from service.db import guard

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", BIG, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("folded", name=op.f("uq_player_folded")),
    )
    op.create_table(
        "service",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("heads", sa.String(), nullable=False),
        sa.Column("log", sa.String(), nullable=False),
        sa.Column("link_key", sa.String(), nullable=False),
        sa.Column("secret_key", sa.String(), nullable=False),
        sa.Column("serial", BIG, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_service_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("opener", BIG, nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("mover", sa.Integer(), nullable=True),
        sa.Column("wait", sa.Integer(), nullable=False),
        sa.Column("began", BIG, nullable=False),
        sa.Column("deadline", BIG, nullable=True),
        sa.Column("changed", BIG, nullable=False),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("house", sa.Integer(), nullable=True),
        sa.Column("house_due", BIG, nullable=True),
        sa.Column("remind", BIG, nullable=True),
        sa.Column("outage", BIG, nullable=False),
        sa.Column("stuck", BIG, nullable=True),
        sa.Column("retry", BIG, nullable=True),
        sa.ForeignKeyConstraint(["opener"], ["player.id"], name=op.f("fk_match_opener")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("code", name=op.f("uq_match_code")),
    )
    op.create_index(op.f("ix_match_deadline_id"), "match", ["deadline", "id"], unique=False)
    op.create_index(op.f("ix_match_house_due"), "match", ["house_due"], unique=False)
    op.create_index(op.f("ix_match_opener"), "match", ["opener"], unique=False)
    op.create_index(op.f("ix_match_phase_changed"), "match", ["phase", "changed"], unique=False)
    op.create_index(op.f("ix_match_remind"), "match", ["remind"], unique=False)
    op.create_index(op.f("ix_match_retry"), "match", ["retry"], unique=False)
    op.create_index(
        op.f("ix_match_phase_outage_id"), "match", ["phase", "outage", "id"], unique=False
    )

    op.create_table(
        "opening",
        sa.Column("id", BIG, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("created", BIG, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_opening_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_opening")),
        sa.UniqueConstraint("key", name=op.f("uq_opening_key")),
    )
    op.create_table(
        "record",
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_record_match")),
        sa.PrimaryKeyConstraint("match", "n", name=op.f("pk_record")),
    )
    op.create_table(
        "seat",
        sa.Column("id", BIG, nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("invited", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("player", BIG, nullable=True),
        sa.Column("declined", BIG, nullable=True),
        sa.Column("muted", BIG, nullable=True),
        sa.Column("pid", sa.String(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("heard", BIG, nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_seat_match")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_seat_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat")),
        sa.UniqueConstraint("match", "number", name=op.f("uq_seat_match_number")),
        sa.UniqueConstraint("match", "place", name=op.f("uq_seat_match_place")),
    )
    op.create_index(op.f("ix_seat_invited"), "seat", ["invited"], unique=False)
    op.create_index(op.f("ix_seat_player"), "seat", ["player"], unique=False)

    op.create_table(
        "session",
        sa.Column("id", BIG, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player", BIG, nullable=True),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("wait", sa.Integer(), nullable=True),
        sa.Column("created", BIG, nullable=False),
        sa.Column("expires", BIG, nullable=False),
        sa.Column("used", BIG, nullable=True),
        sa.Column("device", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_session_match")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_session_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sa.UniqueConstraint("hash", name=op.f("uq_session_hash")),
    )
    op.create_index(op.f("ix_session_match_seat"), "session", ["match", "seat"], unique=False)
    op.create_index(op.f("ix_session_player"), "session", ["player"], unique=False)

    op.create_table(
        "change",
        sa.Column("id", BIG, nullable=False),
        sa.Column("player", BIG, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("agreed", BIG, nullable=True),
        sa.Column("confirmed", BIG, nullable=True),
        sa.Column("created", BIG, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_change_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change")),
    )
    op.create_index(op.f("ix_change_player"), "change", ["player"], unique=False)

    op.create_table(
        "link",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("wait", sa.Integer(), nullable=True),
        sa.Column("place", BIG, nullable=True),
        sa.Column("player", BIG, nullable=True),
        sa.Column("opening", BIG, nullable=True),
        sa.Column("change", BIG, nullable=True),
        sa.Column("created", BIG, nullable=False),
        sa.Column("expires", BIG, nullable=True),
        sa.Column("used", BIG, nullable=True),
        sa.Column("answer", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["change"], ["change.id"], name=op.f("fk_link_change")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_link_match")),
        sa.ForeignKeyConstraint(["opening"], ["opening.id"], name=op.f("fk_link_opening")),
        sa.ForeignKeyConstraint(["place"], ["seat.id"], name=op.f("fk_link_place")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_link_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_link")),
        sa.UniqueConstraint("hash", name=op.f("uq_link_hash")),
    )
    op.create_index(
        op.f("ix_link_match_seat_wait"), "link", ["match", "seat", "wait"], unique=False
    )
    op.create_index(op.f("ix_link_change"), "link", ["change"], unique=False)
    op.create_index(op.f("ix_link_place"), "link", ["place"], unique=False)
    op.create_index(op.f("ix_link_player"), "link", ["player"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", BIG, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("dedup_key", sa.String(), nullable=False),
        sa.Column("match", sa.String(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("wait", sa.Integer(), nullable=True),
        sa.Column("record", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("link", sa.String(), nullable=True),
        sa.Column("snapshot", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due", BIG, nullable=False),
        sa.Column("expires", BIG, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("raw_sha256", sa.LargeBinary(), nullable=True),
        sa.Column("words", sa.String(), nullable=True),
        sa.Column("bounce", sa.LargeBinary(), nullable=True),
        sa.Column("last_code", sa.Integer(), nullable=True),
        sa.Column("last_text", sa.String(), nullable=True),
        sa.Column("created", BIG, nullable=False),
        sa.Column("sent", BIG, nullable=True),
        sa.ForeignKeyConstraint(["link"], ["link.id"], name=op.f("fk_outbox_link")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_outbox_match")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("bounce", name=op.f("uq_outbox_bounce")),
        sa.UniqueConstraint("dedup_key", name=op.f("uq_outbox_dedup_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(
        op.f("ix_outbox_address_created"), "outbox", ["address", "created"], unique=False
    )
    op.create_index(op.f("ix_outbox_match_state"), "outbox", ["match", "state"], unique=False)
    op.create_index(op.f("ix_outbox_state_due"), "outbox", ["state", "due"], unique=False)
    op.create_table(
        "quota",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("free", BIG, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_quota")),
    )
    op.create_table(
        "beat",
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("at", BIG, nullable=False),
        sa.PrimaryKeyConstraint("part", name=op.f("pk_beat")),
    )
    op.create_table(
        "outage",
        sa.Column("id", BIG, nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("began", BIG, nullable=False),
        sa.Column("ended", BIG, nullable=False),
        sa.Column("settled", BIG, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
    )
    op.create_index(op.f("ix_outage_ended"), "outage", ["ended"], unique=False)
    op.create_index(op.f("ix_outage_settled"), "outage", ["settled"], unique=False)
    _create_beside()
    _create_mails()
    op.create_table(
        "reach",
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("scored", BIG, nullable=False),
        sa.Column("suppressed", BIG, nullable=True),
        sa.Column("uninvited", BIG, nullable=True),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_reach")),
    )
    op.create_table(
        "wish",
        sa.Column("player", BIG, nullable=False),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("digest", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("unwanted", sa.String(), nullable=False),
        sa.Column("once", sa.Boolean(), nullable=False),
        sa.Column("returned", BIG, nullable=False),
        sa.Column("crowded", sa.Boolean(), nullable=False),
        sa.Column("half", sa.Boolean(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("apart", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_wish_player")),
        sa.PrimaryKeyConstraint("player", name=op.f("pk_wish")),
    )
    op.create_index(op.f("ix_wish_delivery"), "wish", ["delivery"], unique=False)

    op.create_table(
        "vacation",
        sa.Column("id", BIG, nullable=False),
        sa.Column("player", BIG, nullable=False),
        sa.Column("begins", BIG, nullable=False),
        sa.Column("ends", BIG, nullable=False),
        sa.Column("due", BIG, nullable=True),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_vacation_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacation")),
    )
    op.create_index(op.f("ix_vacation_due"), "vacation", ["due"], unique=False)
    op.create_index(op.f("ix_vacation_player_ends"), "vacation", ["player", "ends"], unique=False)
    guard(op.get_bind(), "record")


def _create_beside() -> None:
    """What players have beside their matches."""
    op.create_table(
        "token",
        sa.Column("id", BIG, nullable=False),
        sa.Column("player", BIG, nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("plays", sa.Boolean(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("used", BIG, nullable=True),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_token_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_token_hash")),
    )
    op.create_index(op.f("ix_token_player"), "token", ["player"], unique=False)

    op.create_table(
        "message",
        sa.Column("id", BIG, nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("player", BIG, nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.Column("reported", BIG, nullable=True),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_message_match")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_message_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message")),
    )
    op.create_index(op.f("ix_message_match_id"), "message", ["match", "id"], unique=False)
    op.create_index(op.f("ix_message_player"), "message", ["player"], unique=False)
    op.create_index(op.f("ix_message_reported"), "message", ["reported"], unique=False)

    op.create_table(
        "mute",
        sa.Column("player", BIG, nullable=False),
        sa.Column("muted", BIG, nullable=False),
        sa.ForeignKeyConstraint(["muted"], ["player.id"], name=op.f("fk_mute_muted")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_mute_player")),
        sa.PrimaryKeyConstraint("player", "muted", name=op.f("pk_mute")),
    )
    op.create_table(
        "note",
        sa.Column("player", BIG, nullable=False),
        sa.Column("match", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("changed", BIG, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_note_match")),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_note_player")),
        sa.PrimaryKeyConstraint("player", "match", name=op.f("pk_note")),
    )


def _create_mails() -> None:
    """What came in by mail, and what it came to."""
    op.create_table(
        "inbound",
        sa.Column("id", BIG, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("arrived", BIG, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due", BIG, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("key", name=op.f("uq_inbound_key")),
    )
    op.create_index(op.f("ix_inbound_state_due"), "inbound", ["state", "due"], unique=False)
    op.create_index(op.f("ix_inbound_arrived"), "inbound", ["arrived"], unique=False)

    op.create_table(
        "verdict",
        sa.Column("id", BIG, nullable=False),
        sa.Column("route", sa.LargeBinary(), nullable=False),
        sa.Column("identity", sa.LargeBinary(), nullable=False),
        sa.Column("inbound", BIG, nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("hold", sa.String(), nullable=True),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.ForeignKeyConstraint(["hold"], ["link.id"], name=op.f("fk_verdict_hold")),
        sa.ForeignKeyConstraint(["inbound"], ["inbound.id"], name=op.f("fk_verdict_inbound")),
        sa.ForeignKeyConstraint(["link"], ["link.id"], name=op.f("fk_verdict_link")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
        sa.UniqueConstraint("hold", name=op.f("uq_verdict_hold")),
        sa.UniqueConstraint("route", "identity", name=op.f("uq_verdict_route_identity")),
    )
    op.create_index(op.f("ix_verdict_inbound"), "verdict", ["inbound"], unique=False)
    op.create_index(op.f("ix_verdict_link"), "verdict", ["link"], unique=False)

    op.create_table(
        "alias",
        sa.Column("player", BIG, nullable=False),
        sa.Column("folded", sa.String(), nullable=False),
        sa.Column("created", BIG, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["player.id"], name=op.f("fk_alias_player")),
        sa.PrimaryKeyConstraint("player", "folded", name=op.f("pk_alias")),
    )


def downgrade() -> None:
    op.drop_table("alias")
    op.drop_table("verdict")
    op.drop_table("inbound")
    _drop_beside()
    op.drop_index(op.f("ix_outage_settled"), "outage")
    op.drop_index(op.f("ix_outage_ended"), "outage")

    op.drop_table("outage")
    op.drop_table("beat")
    op.drop_index(op.f("ix_vacation_player_ends"), "vacation")
    op.drop_index(op.f("ix_vacation_due"), "vacation")
    op.drop_table("vacation")
    op.drop_index(op.f("ix_wish_delivery"), "wish")
    op.drop_table("wish")
    op.drop_table("reach")
    op.drop_table("quota")
    op.drop_index(op.f("ix_outbox_state_due"), "outbox")
    op.drop_index(op.f("ix_outbox_match_state"), "outbox")
    op.drop_index(op.f("ix_outbox_address_created"), "outbox")

    op.drop_table("outbox")
    op.drop_index(op.f("ix_link_player"), "link")
    op.drop_index(op.f("ix_link_place"), "link")
    op.drop_index(op.f("ix_link_change"), "link")
    op.drop_index(op.f("ix_link_match_seat_wait"), "link")

    op.drop_table("link")
    op.drop_index(op.f("ix_change_player"), "change")
    op.drop_table("change")
    op.drop_index(op.f("ix_session_player"), "session")
    op.drop_index(op.f("ix_session_match_seat"), "session")

    op.drop_table("session")
    op.drop_index(op.f("ix_seat_player"), "seat")
    op.drop_index(op.f("ix_seat_invited"), "seat")

    op.drop_table("seat")
    op.drop_table("record")
    op.drop_table("opening")
    op.drop_index(op.f("ix_match_phase_outage_id"), "match")
    op.drop_index(op.f("ix_match_retry"), "match")
    op.drop_index(op.f("ix_match_remind"), "match")
    op.drop_index(op.f("ix_match_phase_changed"), "match")
    op.drop_index(op.f("ix_match_opener"), "match")
    op.drop_index(op.f("ix_match_deadline_id"), "match")

    op.drop_table("match")
    op.drop_table("service")
    op.drop_table("player")


def _drop_beside() -> None:
    op.drop_table("note")
    op.drop_table("mute")
    op.drop_index(op.f("ix_message_reported"), "message")
    op.drop_index(op.f("ix_message_player"), "message")
    op.drop_index(op.f("ix_message_match_id"), "message")

    op.drop_table("message")
    op.drop_index(op.f("ix_token_player"), "token")

    op.drop_table("token")
