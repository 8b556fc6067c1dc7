"""A policy in TOML: `ostiary.toml`, or the table `tool.ostiary` of a pyproject."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from posixpath import join, normpath
from typing import Any, Final

from ostiary.closest import closest
from ostiary.shield.decision import SafetyAction
from ostiary.shield.faults import FAULT_RULES
from ostiary.shield.own_rules import OwnRule, own_findings
from ostiary.shield.policy import CommandPolicy
from ostiary.shield.reading import read_command
from ostiary.shield.rule import Rule
from ostiary.shield.rule_table import CATEGORIES, RULES
from ostiary.shield.tools import DEFAULT_TOOLS, SHELL, ToolFields

_WORDS: Final = {
    "off": SafetyAction.ALLOW,
    "allow": SafetyAction.ALLOW,
    "warn": SafetyAction.WARN,
    "block": SafetyAction.BLOCK,
}
_KEYS: Final = ("workspace", "home", "scratch", "protected", "tools", "rules", "unreadable", "own")
_TOOL_KEYS: Final = ("command", "path", "content", "patch", "address", "saved", "edits")
_OWN_KEYS: Final = (
    "id", "program", "flags", "args", "action", "category", "reason", "suggestion", "match",
    "not_match",
)  # fmt: skip


class PolicyError(ValueError):
    """A policy that cannot be used; the message names the key that is wrong."""


def load_policy(path: str | PathLike[str]) -> CommandPolicy:
    """Read a policy.

    Args:
        path: A TOML file. Of `pyproject.toml` the table `tool.ostiary` is taken, of any other file
            the whole. Paths in it start from its folder.

    Raises:
        OSError: the file cannot be read.
        PolicyError: it is no TOML, or something in it is wrong.
    """
    file = Path(path)
    try:
        data: Any = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PolicyError(f"{file}: this is no TOML: {error}") from error
    where = ""
    if file.name == "pyproject.toml":
        data = data.get("tool", {}).get("ostiary", {})
        where = "tool.ostiary"
    return policy_of(data, file.parent.resolve().as_posix(), where)


def policy_of(data: Mapping[str, Any], folder: str, where: str = "") -> CommandPolicy:
    """Return the policy that a table of TOML says.

    Args:
        data: The table.
        folder: What relative paths start from, absolute; the workspace, where it is not named.
        where: The table's own name, for errors.

    Raises:
        PolicyError: something in it is wrong.
    """
    table = _Table(data, where)
    table.allow(_KEYS)
    home = table.text("home") or CommandPolicy().home
    paths = _Paths(folder, home)
    base = CommandPolicy(workspace=paths.one(table.text("workspace") or "."), home=home)
    scratch = tuple(map(paths.one, table.texts("scratch")))
    policy = replace(
        base,
        scratch=(*base.scratch, *scratch),
        protected=tuple(map(paths.one, table.texts("protected"))),
        tools=_tools(table),
        unreadable=_actions(table.table("unreadable"), FAULT_RULES, "cause"),
        own=_own(table),
    )
    known = {*RULES, *CATEGORIES, *(one.rule.id for one in policy.own)}
    known |= {one.rule.category for one in policy.own}
    policy = replace(policy, rules=_actions(table.table("rules"), known, "rule"))
    _check_examples(policy, table.name("own"))
    return policy


class _Paths:
    """Makes paths absolute."""

    def __init__(self, folder: str, home: str) -> None:
        self._folder = folder
        self._home = home

    def one(self, path: str) -> str:
        if path == "~" or path.startswith("~/"):
            path = self._home + path[1:]
        return normpath(join(self._folder, path))


class _Table:
    """A table of TOML that names the key in every error."""

    def __init__(self, data: Any, where: str) -> None:
        self.where = where
        if not isinstance(data, Mapping):
            raise PolicyError(f"[{where}]: expected a table, found {_kind(data)}")
        self.data: Mapping[str, Any] = data

    def name(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def wrong(self, key: str, message: str) -> PolicyError:
        head = f"[{self.where}] {key}" if self.where else key
        return PolicyError(f"{head}: {message}")

    def allow(self, keys: Iterable[str]) -> None:
        keys = tuple(keys)
        for key in self.data:
            if key not in keys:
                raise self.wrong(key, f"no such key{_meant(key, keys)}")

    def text(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            raise self.wrong(key, f"expected a text, found {_kind(value)}")
        return value

    def need(self, key: str) -> str:
        value = self.text(key)
        if value is None:
            raise self.wrong(key, "is missing")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(one, str) and one for one in texts):
            raise self.wrong(key, f"expected a text or a list of texts, found {_kind(value)}")
        return tuple(texts)

    def table(self, key: str) -> "_Table":
        return _Table(self.data.get(key, {}), self.name(key))


def _kind(value: object) -> str:
    names = {str: "a text", int: "a number", float: "a number", bool: "true or false"}
    names |= {list: "a list", dict: "a table"}
    if value in ("", []):
        return "nothing in it"
    return names.get(type(value), type(value).__name__)


def _meant(key: str, known: Iterable[str]) -> str:
    near = closest(key, sorted(known))
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(sorted(known))}"


def _actions(table: _Table, known: Iterable[str], what: str) -> dict[str, SafetyAction]:
    known = set(known)
    actions = {}
    for key, word in _flattened(table.data):
        if key not in known:
            raise table.wrong(key, f"no such {what}{_meant(key, known)}")
        if not isinstance(word, str) or word not in _WORDS:
            raise table.wrong(key, f"expected {', '.join(_WORDS)}, found {word!r}")
        actions[key] = _WORDS[word]
    return actions


def _flattened(data: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """Yield `git.reset_hard = "off"`, which TOML reads as a table in a table, as one key."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _tools(table: _Table) -> dict[str, ToolFields]:
    tools = dict(DEFAULT_TOOLS)
    named = table.table("tools")
    for name, value in named.data.items():
        if value is False:
            tools.pop(name, None)
        elif isinstance(value, Mapping):
            tools[name] = _tool(named.table(name))
        else:
            fields = named.texts(name)
            if not fields:
                raise named.wrong(name, "expected the field that holds the command")
            tools[name] = _commands(fields)
    return tools


def _commands(fields: tuple[str, ...]) -> ToolFields:
    return ToolFields(command=fields) if len(fields) == 1 else ToolFields(joined=fields)


def _tool(table: _Table) -> ToolFields:
    table.allow(_TOOL_KEYS)
    edits = table.data.get("edits", False)
    if not isinstance(edits, bool):
        raise table.wrong("edits", f"expected true or false, found {_kind(edits)}")
    given = {key: table.texts(key) for key in _TOOL_KEYS if key not in {"command", "edits"}}
    commands = _commands(table.texts("command")) if "command" in table.data else ToolFields()
    fields = replace(commands, edits=edits, **given)
    if fields == ToolFields(edits=edits):
        return replace(SHELL, edits=edits)
    return fields


def _own(table: _Table) -> tuple[OwnRule, ...]:
    entries = table.data.get("own", [])
    name = table.name("own")
    if not isinstance(entries, list):
        raise table.wrong("own", f"expected [[{name}]] tables, found {_kind(entries)}")
    own: list[OwnRule] = []
    for at, entry in enumerate(entries):
        one = _own_rule(_Table(entry, f"{name}[{at}]"))
        if one.rule.id in RULES or any(one.rule.id == other.rule.id for other in own):
            raise PolicyError(f"[{name}[{at}]] id: there is a rule {one.rule.id} already")
        own.append(one)
    return tuple(own)


def _own_rule(table: _Table) -> OwnRule:
    table.allow(_OWN_KEYS)
    word = table.text("action") or "block"
    if word not in {"warn", "block"}:
        raise table.wrong("action", f"expected warn or block, found {word!r}")
    rule = Rule(
        id=table.need("id"),
        category=table.text("category") or "policy",
        action=_WORDS[word],
        summary=table.text("reason") or "is against the policy",
        suggestion=table.text("suggestion"),
    )
    programs = table.texts("program")
    if not programs:
        raise table.wrong("program", "is missing")
    return OwnRule(
        rule,
        programs,
        table.texts("flags"),
        table.texts("args"),
        table.texts("match"),
        table.texts("not_match"),
    )


def _check_examples(policy: CommandPolicy, name: str) -> None:
    """Hold each own rule to its examples.

    Raises:
        PolicyError: a rule does not find what it should, or finds what it should not.
    """
    for at, own in enumerate(policy.own):
        for command in (*own.match, *own.not_match):
            reading = read_command(command, policy.workspace, policy.home)
            found = any(own_findings((own,), reading))
            if found != (command in own.match):
                key = "not_match" if found else "match"
                says = "is found by the rule" if found else "is not found by the rule"
                raise PolicyError(f"[{name}[{at}]] {key}: {command!r} {says} {own.rule.id}")
