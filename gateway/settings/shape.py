"""What the settings models say about a key path: which keys there are, how they may be spelled, and what stands there."""

from __future__ import annotations

from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard, Union, get_args, get_origin

from pydantic import AliasChoices

from gateway.settings.model import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def bare(annotation: Any) -> Any:
    """The annotation without `Annotated` and without `| None`."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return bare(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        others = [argument for argument in get_args(annotation) if argument is not NoneType]
        return bare(others[0])
    return annotation


def is_section(annotation: Any) -> TypeGuard[type[Section]]:
    """Whether it is a group of settings of ours."""
    return isinstance(annotation, type) and issubclass(annotation, Section)


def is_compound(annotation: Any) -> bool:
    """Whether its value is a mapping or a list: as an environment variable it is JSON."""
    annotation = bare(annotation)
    return is_section(annotation) or get_origin(annotation) in {dict, tuple}


def is_list(annotation: Any) -> bool:
    """Whether its value is a list."""
    return get_origin(bare(annotation)) is tuple


def is_path(annotation: Any) -> bool:
    """Whether its value names a file."""
    return bare(annotation) is Path


def may_be_missing(annotation: Any) -> bool:
    """Whether None is one of its values."""
    return NoneType in get_args(annotation) or (get_origin(annotation) is Annotated and may_be_missing(get_args(annotation)[0]))


def spelled(annotation: Any, key: str) -> str:
    """The key as the models spell it: `topK` -> `top_k`. A key that is not known comes back as it is."""
    annotation = bare(annotation)
    if not is_section(annotation):
        return key
    for name, field in annotation.model_fields.items():
        alias = field.validation_alias
        if isinstance(alias, AliasChoices) and key in alias.choices:
            return name
    return key


def below(annotation: Any, key: str) -> Any:
    """The annotation of what stands at `key` (as the models spell it), or None where nothing is known of it."""
    annotation = bare(annotation)
    if is_section(annotation):
        field = annotation.model_fields.get(key)
        return field.annotation if field else None
    arguments = get_args(annotation)
    origin = get_origin(annotation)
    return arguments[1] if origin is dict else arguments[0] if origin is tuple else None


def at(annotation: Any, path: Iterable[str]) -> Any:
    """The annotation at the end of a path of keys, or None."""
    for key in path:
        annotation = below(annotation, key)
    return annotation


def keys_of(annotation: Any) -> tuple[str, ...]:
    """The keys of a section, () for anything else."""
    annotation = bare(annotation)
    return tuple(annotation.model_fields) if is_section(annotation) else ()


def key_paths(annotation: type[Section], prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path to a key that is no section itself, in the models' order: ("server", "port"), ... Within lists and maps: none."""
    for name, field in annotation.model_fields.items():
        inner = bare(field.annotation)
        if is_section(inner):
            yield from key_paths(inner, (*prefix, name))
        else:
            yield (*prefix, name)
