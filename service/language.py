"""What people read in their language: sentences, plurals, points in time; for pages and mail."""

from __future__ import annotations

import gettext as standard
import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from babel.dates import (
    format_date,
    format_datetime,
    format_timedelta,
    get_timezone_gmt,
    get_timezone_name,
)
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from games.core.drawing import Language

HERE = Path(__file__).parent
LOCALE = HERE / "locale"
TEMPLATES = HERE / "templates" if (HERE / "templates").is_dir() else HERE.parent / "templates"
"""Inside the package in a wheel, beside it in a checkout."""
REGION = {"de": "de_DE", "en": "en_GB"}
MOMENT = {"de": "EEEE, d. MMMM y, HH:mm 'Uhr'", "en": "EEEE, d MMMM y, HH:mm"}


@cache
def catalogue(language: Language) -> standard.NullTranslations:
    """The translations from English, which is the language of the keys."""
    path = LOCALE / language / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return standard.NullTranslations()
    compiled = io.BytesIO()
    with path.open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return standard.GNUTranslations(compiled)


def N_(text: str) -> str:
    """Marks a sentence for the catalogue, to be translated where it is read."""
    return text


def gettext(text: str, language: Language, **values: object) -> str:
    """The sentence in a language; values stand in it as `%(name)s`, a percent sign as `%%`."""
    return catalogue(language).gettext(text) % values


def ngettext(one: str, many: str, num: int, language: Language, **values: object) -> str:
    """The sentence that fits a number, which stands in it as `%(num)s`."""
    return catalogue(language).ngettext(one, many, num) % {"num": num, **values}


def moment(time: int, zone: str, language: Language) -> str:
    """`Sunday, 6 December 2026, 20:00 (CET)`."""
    local = datetime.fromtimestamp(time, ZoneInfo(zone))
    words = format_datetime(local, MOMENT[language], locale=REGION[language])
    return f"{words} ({_zone(local, language)})"


def day(time: int, zone: str, language: Language) -> str:
    """`6 December 2026`."""
    local = datetime.fromtimestamp(time, ZoneInfo(zone))
    return format_date(local, "long", locale=REGION[language])


def within(seconds: int, language: Language) -> str:
    """`in 2 days`: whole days from two on, else hours or minutes, rounded down; but what lacks no
    more than a 24th counts as whole, so that five days are five when one reads of them at once."""
    if seconds <= 0:
        return gettext("the time is over", language)
    least = {2 * 86_400: 86_400, 3_600: 3_600, 60: 60, 1: 1}
    unit = next(unit for size, unit in least.items() if seconds + unit // 24 >= size)
    count = (seconds + unit // 24) // unit
    whole = timedelta(seconds=count * unit)
    return format_timedelta(whole, add_direction=True, threshold=count, locale=REGION[language])


def until(time: int, now: int, zone: str, language: Language) -> str:
    """`Sunday, 6 December 2026, 20:00 (CET), in 2 days`: as pages, mails and feeds say it."""
    return f"{moment(time, zone, language)}, {within(time - now, language)}"


def span(seconds: int, language: Language) -> str:
    """`9 days 3 hours`, `36 hours`, `1 hour 30 minutes`: down to the minute, never more than there
    are."""
    if seconds >= 2 * 86_400:
        parts = {86_400: seconds // 86_400, 3_600: seconds % 86_400 // 3_600}
    else:
        parts = {3_600: seconds // 3_600, 60: seconds % 3_600 // 60}
    words = [_count(unit, count, language) for unit, count in parts.items() if count]
    return " ".join(words) or _count(60, 0, language)


def _count(unit: int, count: int, language: Language) -> str:
    """`3 hours`."""
    whole = timedelta(seconds=unit * count)
    granularity: dict[int, Literal["day", "hour", "minute"]]
    granularity = {86_400: "day", 3_600: "hour", 60: "minute"}
    return format_timedelta(
        whole, granularity=granularity[unit], threshold=max(1, count), locale=REGION[language]
    )


def listed(names: Sequence[str], language: Language) -> str:
    """`Anna, Ben and Carla`."""
    return format_list(list(names), locale=REGION[language])


def _zone(local: datetime, language: Language) -> str:
    name = get_timezone_name(local, "short", locale=REGION[language])
    return get_timezone_gmt(local, "long", locale=REGION[language]) if name[0] in "+-" else name
