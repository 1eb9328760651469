"""What the processes write down while they run: lines of JSON without addresses and tokens."""

from __future__ import annotations

import logging
import re
import sys

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

SECRETS = (
    (re.compile(r"\[parameters: .*", re.DOTALL), "[parameters]"),
    (re.compile(r"[^\s@<>\"'(,;:]+@[^\s@<>\"'),;:]+"), "[address]"),
    (re.compile(r"(?<=/)(t|i|a|h|u|c|feed|operator)/[^\s/?#\"']+"), r"\1/[token]"),
    (re.compile(r"\b[A-Za-z2-7]{26}\b"), "[token]"),
    (re.compile(r"\bfp_[\w-]{43}"), "[token]"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), "[token]"),
)
"""What a statement of the database was given, addresses, and the tokens of links and cookies."""


def log(name: str) -> FilteringBoundLogger:
    """A logger that names what it logs about."""
    logger: FilteringBoundLogger = structlog.get_logger(name)
    return logger


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Takes out of every text what nobody may find in a log."""
    return {name: _clean(value) for name, value in event.items()}


def keep(level: int = logging.INFO) -> None:
    """Sends all logs of this process to standard error, those of libraries too."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(shared))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


def _formatter(shared: list[structlog.typing.Processor]) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            redact,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def _clean(value: object) -> object:
    if isinstance(value, dict):
        return {name: _clean(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    if isinstance(value, bool | int | float | None):
        return value
    text = str(value)
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text
