"""`docs/command.md` says what is true."""

import re
from pathlib import Path

from ostiary import CommandShield, ShieldContext
from ostiary.shield.faults import FAULT_RULES
from ostiary.shield.file_runs import FILE_RULES
from ostiary.shield.rule_table import CATEGORIES, RULES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "command.md").read_text("utf-8")


def test_the_policy_of_the_page_can_be_loaded(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    file = tmp_path / "ostiary.toml"
    file.write_text(block)
    shield = CommandShield.from_toml(file)
    decision = shield.evaluate(ShieldContext("Terminal", {"line": "make deploy prod"}))
    assert decision.reason == "`make deploy prod` deploys to production"


def test_the_page_lists_the_rules_about_files() -> None:
    for rule in FILE_RULES.values():
        assert f"| `{rule.id}` | {rule.action.value} | {rule.summary} |" in PAGE


def test_the_page_names_every_cause() -> None:
    for cause in FAULT_RULES:
        assert f"`{cause}`" in PAGE or f"`unreadable.{cause}`" in PAGE, cause


def test_every_rule_has_a_category_of_its_own_or_a_shared_one() -> None:
    assert {rule.category for rule in RULES.values()} == CATEGORIES
    assert all(RULES[id_].id == id_ for id_ in RULES)
