"""What a user decides about a `CommandShield`: folders, tools, rules, and what to do in doubt."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import normpath
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.own_rules import OwnRule
from ostiary.shield.tools import DEFAULT_TOOLS, ToolFields

_SCRATCH: Final = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/dev/shm")  # noqa: S108 # names


def _default_workspace() -> str:
    return os.getcwd()  # noqa: PTH109 # a text is wanted


@lru_cache(maxsize=1)
def _default_scratch() -> tuple[str, ...]:
    named = (tempfile.gettempdir(), os.environ.get("TMPDIR", ""), *_SCRATCH)
    return tuple(dict.fromkeys(normpath(folder) for folder in named if folder.startswith("/")))


def _default_home() -> str:
    home = os.path.expanduser("~")  # noqa: PTH111 # a text is wanted, and no error without a home
    return home if home.startswith("/") else "/root"


@dataclass(frozen=True, slots=True)
class CommandPolicy:
    """A `CommandShield`'s settings; every one has a default.

    Attributes:
        workspace: The folder that the agent works in, absolute.
        home: The user's home, absolute.
        scratch: Folders whose content may go, absolute.
        protected: Files and folders that nothing may change, absolute.
        tools: The tools that are judged, and where their inputs hold what counts.
        rules: What a rule says, by its id or its category, instead of what it says by itself; a
            rule's id counts before its category. `SafetyAction.ALLOW` switches it off.
        unreadable: What a command that could not be read whole amounts to, by the cause; without a
            word: block where the unread part could hold a command, else warn.
        own: Rules of the user's own.
    """

    workspace: str = field(default_factory=_default_workspace)
    home: str = field(default_factory=_default_home)
    scratch: tuple[str, ...] = field(default_factory=_default_scratch)
    protected: tuple[str, ...] = ()
    tools: Mapping[str, ToolFields] = field(default_factory=lambda: DEFAULT_TOOLS)
    rules: Mapping[str, SafetyAction] = field(default_factory=dict)
    unreadable: Mapping[str, SafetyAction] = field(default_factory=dict)
    own: tuple[OwnRule, ...] = ()

    def __post_init__(self) -> None:
        """Refuse folders that are not absolute.

        Raises:
            ValueError: a folder does not begin with `/`.
        """
        for name in ("workspace", "home"):
            self._require_absolute(name, getattr(self, name))
        for name in ("scratch", "protected"):
            for path in getattr(self, name):
                self._require_absolute(name, path)

    @staticmethod
    def _require_absolute(name: str, path: str) -> None:
        if not path.startswith("/"):
            raise ValueError(f"{name} is an absolute path, not {path!r}")
