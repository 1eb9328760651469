"""Views as plain data for programs of others: JSON, and the JSON Schema that says what it means.

A view is a frozen dataclass, and its form follows from its fields alone: a dataclass or a named
tuple is an object with a member for each field, any other tuple is an array. A dataclass inside a
view is one kind among several, a move say, and has its kind in a member `kind`. What stands below
a field in the source is its description.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import pairwise
from textwrap import dedent
from types import UnionType
from typing import Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from games.registry import find

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
Schema = dict[str, Json]
KIND = "kind"
_SIMPLE: dict[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}


class Field(NamedTuple):
    """A field of a dataclass or a named tuple."""

    name: str
    type: object
    note: str


def plain(view: object) -> dict[str, Json]:
    """A view as plain data. Raises TypeError for a value that has no such form."""
    return {name: _plain(getattr(view, name)) for name in _names(type(view))}


def schema(game: str, version: int) -> Schema:
    """What `plain` makes of the views of a game. Raises UnknownRules."""
    return _record(get_type_hints(find(game, version).view)["return"])


def _plain(value: object) -> Json:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return [_plain(one) for one in value]
    told = plain(value)
    return {KIND: _kind(type(value)), **told} if is_dataclass(value) else told


def _names(record: type) -> tuple[str, ...]:
    if is_dataclass(record):
        return tuple(field.name for field in fields(record))
    if issubclass(record, tuple) and hasattr(record, "_fields"):
        return tuple(record._fields)
    raise TypeError(f"{record.__qualname__} has no plain form")


def _kind(record: type) -> str:
    """`Sum` is `sum`, `BigSum` would be `big-sum`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", record.__name__).lower()


def _schema(found: object) -> Schema:
    if found in _SIMPLE:
        return dict(_SIMPLE[found])
    origin, inner = get_origin(found), get_args(found)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one) for one in inner]}
    if origin is tuple:
        return _array(inner)
    if not isinstance(found, type):
        raise TypeError(f"{found} has no plain form")
    return _record(found, _kind(found) if is_dataclass(found) else "")


def _array(inner: tuple[object, ...]) -> Schema:
    if inner[1:] == (...,):
        return {"type": "array", "items": _schema(inner[0])}
    each: list[Json] = [_schema(one) for one in inner]
    return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}


def _record(record: type, kind: str = "") -> Schema:
    """An object; `kind` tells it from the others that may stand in its place."""
    members: dict[str, Json] = {KIND: {"const": kind}} if kind else {}
    for field in _fields(record):
        note: Schema = {"description": field.note} if field.note else {}
        members[field.name] = _schema(field.type) | note
    return {
        "type": "object",
        "description": inspect.cleandoc(record.__doc__ or ""),
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _fields(record: type) -> Iterator[Field]:
    types, notes = get_type_hints(record), _notes(record)
    return (Field(name, types[name], notes.get(name, "")) for name in _names(record))


def _notes(record: type) -> Mapping[str, str]:
    """What is written below the fields of a class, by field."""
    body = ast.parse(dedent(inspect.getsource(record))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(str(below.value.value).split())
        for field, below in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }
