import pytest

from gateway.egress.policy import Policy
from gateway.egress.scan import Rules

RULES = Rules(Policy(ner="off"))


@pytest.mark.parametrize("name", ["bob", "ann.lee", "alice.private", "m.schmidt", "jane_roe7"])
@pytest.mark.parametrize("domain", ["example.com", "mail.example.org", "corp.example"])
def test_somebodys_name_is_masked_also_where_the_domain_is_for_documentation(name, domain):
    assert [span.entity for span in RULES.scan(f"write to {name}@{domain} please")] == ["EMAIL_ADDRESS"]


@pytest.mark.parametrize(
    "address", ["user@example.com", "your.name@example.org", "you@example.com", "user1@example.net", "bob@host.invalid", "a@b.test"]
)
def test_an_address_for_anybody_is_left_alone(address):
    assert RULES.scan(f"write to {address} please") == ()
