"""The OpenAPI description: made from the operations, their shapes and the views of the games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from pydantic import TypeAdapter

from games import registry
from games.plain import schema
from service.web.api.operations import ALWAYS, OPERATIONS, Operation
from service.web.api.problems import KINDS, TYPE
from service.web.api.shapes import Code, Problem

Spec = dict[str, Any]
REF = "#/components/schemas/{model}"
VERSION = "1"
"""Raised only if a program that keeps to the description could break."""
_INTRODUCTION = (
    "Play matches as a program. Everything goes through the same door as a turn from a page or a "
    "mail, and shows the same views: what a seat cannot see is in no answer."
)


@cache
def description(base_url: str) -> Spec:
    """The whole description of the API of a service at this address."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fernpartie", "version": VERSION, "description": _INTRODUCTION},
        "servers": [{"url": base_url}],
        "security": [{"token": []}],
        "paths": {
            path: {one.method.lower(): _operation(one) for one in group}
            for path, group in groupby(OPERATIONS, key=lambda one: one.path)
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _shapes() | _views(),
        },
    }


def _operation(one: Operation) -> Spec:
    spec: Spec = {
        "operationId": one.id,
        "summary": one.summary,
        "parameters": [*_in_path(one), *_in_query(one)],
        "responses": {
            "200": {"description": "Done", "content": _content(one.answer)},
            **{str(status): _refusal(codes) for status, codes in _refusals(one)},
        },
    }
    if one.body is not None:
        spec["requestBody"] = {"required": True, "content": _content(one.body)}
    return spec


def _in_path(one: Operation) -> Iterator[Spec]:
    for name in re.findall(r"{(\w+)}", one.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _in_query(one: Operation) -> Iterator[Spec]:
    if one.query is not None:
        for name, found in TypeAdapter(one.query).json_schema()["properties"].items():
            yield {"name": name, "in": "query", "required": False, "schema": found}


def _refusals(one: Operation) -> Iterator[tuple[int, list[Code]]]:
    codes = sorted((*ALWAYS, *one.problems), key=lambda code: KINDS[code].status)
    for status, group in groupby(codes, key=lambda code: KINDS[code].status):
        yield status, list(group)


def _refusal(codes: list[Code]) -> Spec:
    means = " ".join(f"`{code}`: {KINDS[code].title}" for code in codes)
    return {"description": means, "content": _content(Problem, TYPE)}


def _content(shape: type, media: str = "application/json") -> Spec:
    return {media: {"schema": {"$ref": REF.format(model=shape.__name__)}}}


def _shapes() -> Spec:
    """Every shape by its name; in place of a view stand those of all games."""
    used = {Problem, *(one.answer for one in OPERATIONS), *(one.body for one in OPERATIONS)}
    named = sorted((shape for shape in used if shape), key=lambda shape: shape.__name__)
    models: Any = [(TypeAdapter(shape), "serialization") for shape in named]
    _, found = _json_schema(models)
    shapes: Spec = found["$defs"]
    views = {"anyOf": [{"$ref": REF.format(model=name)} for name in _views()]}
    replaced: Spec = _with_views(shapes, views)
    return replaced


def _json_schema(models: Any) -> tuple[Any, Spec]:
    inputs = [(str(place), mode, one) for place, (one, mode) in enumerate(models)]
    return TypeAdapter.json_schemas(inputs, ref_template=REF)


def _with_views(found: Any, views: Spec) -> Any:
    if isinstance(found, list):
        return [_with_views(one, views) for one in found]
    if not isinstance(found, dict):
        return found
    if found.get("view") is True:
        note = {"description": found["description"]} if "description" in found else {}
        return {**views, **note}
    return {name: _with_views(one, views) for name, one in found.items()}


def _views() -> Spec:
    """The form of the views of each game, in each version of its rules."""
    return {
        f"View.{game}.{version}": schema(game, version)
        for game in registry.games()
        for version in registry.versions(game)
    }
