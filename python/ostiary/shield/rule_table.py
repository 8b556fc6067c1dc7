"""Every rule that there is, by its id."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ostiary.shield.faults import FAULT_RULES
from ostiary.shield.file_runs import FILE_RULES
from ostiary.shield.judge import ALL_RULES
from ostiary.shield.rule import Rule

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {**ALL_RULES, **FILE_RULES, **{rule.id: rule for rule in FAULT_RULES.values()}}
)
"""Every built-in rule, by its id."""

CATEGORIES: Final = frozenset(rule.category for rule in RULES.values())
"""Every category of a built-in rule."""
