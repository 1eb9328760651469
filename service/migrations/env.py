"""Runs the migrations on the connection that `service.db` hands in."""

from __future__ import annotations

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import AutoString, SQLModel

import service.models  # noqa: F401  (fills the metadata)


def render(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Writes SQLModel's own string type as the plain one that it is."""
    return "sa.String()" if kind == "type" and isinstance(item, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    render_item=render,
)
with context.begin_transaction():
    context.run_migrations()
