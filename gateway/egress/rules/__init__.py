"""What the guard looks for. Adding a rule is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.egress.rules.addresses import STREET_ADDRESSES
from gateway.egress.rules.births import BIRTH_DATES
from gateway.egress.rules.codes import ONE_TIME_SECRETS, PINS, RECOVERY_CODES
from gateway.egress.rules.credentials import CREDENTIALS
from gateway.egress.rules.emails import EMAILS
from gateway.egress.rules.hosts import INTERNAL_HOSTS
from gateway.egress.rules.keyed import KEYED_VALUES
from gateway.egress.rules.keys import KEY_BLOCKS
from gateway.egress.rules.labelled import LABELLED_SECRETS
from gateway.egress.rules.machine_addresses import MACHINE_ADDRESSES
from gateway.egress.rules.national_ids import NATIONAL_IDS
from gateway.egress.rules.payment import BANK_ACCOUNTS, CARDS
from gateway.egress.rules.persons import PERSONS
from gateway.egress.rules.phones import PHONES
from gateway.egress.rules.proprietary import CONFIDENTIAL_MARKS, PROGRAM_TEXT
from gateway.egress.rules.seeds import SEED_PHRASES
from gateway.egress.rules.shapes import SHAPED_TOKENS
from gateway.egress.rules.vendor_tokens import VENDOR_TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.egress.rules.base import Rule

RECOGNIZERS: Mapping[str, Rule] = {
    "vendor_tokens": VENDOR_TOKENS,
    "shaped_tokens": SHAPED_TOKENS,
    "key_blocks": KEY_BLOCKS,
    "credentials": CREDENTIALS,
    "labelled_secrets": LABELLED_SECRETS,
    "keyed_values": KEYED_VALUES,
    "pins": PINS,
    "one_time_secrets": ONE_TIME_SECRETS,
    "recovery_codes": RECOVERY_CODES,
    "seed_phrases": SEED_PHRASES,
    "cards": CARDS,
    "bank_accounts": BANK_ACCOUNTS,
    "national_ids": NATIONAL_IDS,
    "birth_dates": BIRTH_DATES,
    "emails": EMAILS,
    "phones": PHONES,
    "machine_addresses": MACHINE_ADDRESSES,
    "internal_hosts": INTERNAL_HOSTS,
    "street_addresses": STREET_ADDRESSES,
    "persons": PERSONS,
    "confidential_marks": CONFIDENTIAL_MARKS,
    "program_text": PROGRAM_TEXT,
}
