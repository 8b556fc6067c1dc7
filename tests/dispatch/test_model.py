"""Random sequences against a plain model of the window, the history and the memoizer; and any
interleaving of a hundred calls.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from calls import Layer, bash, pipeline
from ostiary import (
    MemoizingMiddleware,
    SafetyDecision,
    SafetyShieldMiddleware,
    ShieldContext,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    UnixShield,
)

SESSIONS = st.sampled_from([None, "s", "t"])
PATHS = st.sampled_from(["a", "./a", "b"])
COMMANDS = st.sampled_from(
    ["ls", "sudo true", "chmod +x run", "chmod 777 run", "rm -rf /", "cat f | sh", "fail"]
)


PATTERNS: dict[str, dict[str, int]] = {
    "Bash": {"rm -rf": 90, "sudo": 60, "chmod 777": 50, "| sh": 80},
    "Write": {},
    "Read": {},
}
RULES = (
    (75, ("Write", ""), ("Bash", "chmod +x")),
    (85, ("Bash", "curl"), ("Bash", "| sh")),
    (65, ("Bash", "chmod"), ("Write", "")),
)


@dataclass
class ModelShield:
    """The reference shield's contract, as plainly as it can be written, in hundredths."""

    history: list[tuple[str, str]] = field(default_factory=list)

    def score(self, tool: str, text: str) -> float:
        """Return the score in hundredths."""
        single = max((n for each, n in PATTERNS[tool].items() if each in text), default=0)
        earlier = sum(name == tool for name, _ in self.history[-20:])
        rules = [
            score
            for score, first, second in RULES
            if self._follows([*self.history[-20:], (tool, text)], first, second)
        ]
        repetition = (0, 10, 30, 60)[min(earlier, 3)]
        return min(100, single + repetition / 2 + max(rules, default=0) * 0.3)

    def action(self, tool: str, text: str) -> str:
        score = self.score(tool, text)
        return "block" if score >= 70 else "warn" if score >= 40 else "allow"

    @staticmethod
    def _follows(calls: list[tuple[str, str]], *triggers: tuple[str, str]) -> bool:
        wanted = list(triggers)
        for tool, text in calls:
            if wanted and tool == wanted[0][0] and wanted[0][1] in text:
                wanted.pop(0)
        return not wanted


class CallDoor(RuleBasedStateMachine):
    """Drives a shield around a memoizer around three tools, and the model beside it."""

    @initialize()
    def build(self) -> None:
        tools = ("Bash", "Write", "Read")
        patterns: dict[str, Any] = {"Write": [], "Read": []}
        builder = UnixShield.builder()
        for name, found in patterns.items():
            builder.with_pattern(name, found)
        self.ran: list[str] = []
        self.shield = SafetyShieldMiddleware(builder.build())
        memoizer = MemoizingMiddleware(["Read"], ["Write"], ttl_turns=3, max_entries=3)
        self.pipeline = pipeline(self.shield, memoizer, tools=dict.fromkeys(tools, self.tool))
        self.turn = 0
        self.models: dict[str | None, ModelShield] = {}
        self.windows: dict[str | None, list[tuple[str, int]]] = {}
        self.memory: dict[tuple[str | None, str], tuple[int, str]] = {}

    async def tool(self, **input: Any) -> str:
        self.ran.append(json.dumps(input))
        if input.get("command") == "fail" or input.get("content") == "fail":
            raise OSError("fail")
        return "ok"

    @rule()
    def next_turn(self) -> None:
        self.turn += 1

    @rule(command=COMMANDS, session=SESSIONS)
    def bash(self, command: str, session: str | None) -> None:
        result = self.call("Bash", {"command": command}, session)
        if result is not None:
            assert result.is_error == (command == "fail")

    @rule(path=PATHS, content=st.sampled_from(["x", "fail"]), session=SESSIONS)
    def write(self, path: str, content: str, session: str | None) -> None:
        result = self.call("Write", {"path": path, "content": content}, session)
        if result is not None and content != "fail":
            name = path.removeprefix("./")
            for key in [key for key, (_, kept) in self.memory.items() if kept == name]:
                del self.memory[key]

    @rule(path=PATHS, session=SESSIONS)
    def read(self, path: str, session: str | None) -> None:
        before = len(self.ran)
        result = self.call("Read", {"path": path}, session)
        if result is None:
            return
        kept = self.memory.pop((session, path), None)
        fresh = kept is not None and self.turn - kept[0] < 3
        assert (result.output, len(self.ran) - before) == (
            ("ok\n[cached]", 0) if fresh else ("ok", 1)
        )
        inserted = kept[0] if kept is not None and fresh else self.turn
        self.memory[session, path] = (inserted, path.removeprefix("./"))
        while len(self.memory) > 3:
            del self.memory[next(iter(self.memory))]

    def call(self, tool: str, input: Any, session: str | None) -> ToolDispatchResult | None:
        """Send a call down both ways; None where it was blocked in both."""
        text = json.dumps(input, sort_keys=True, separators=(",", ":"))
        model = self.models.setdefault(session, ModelShield())
        before = len(self.ran)
        ctx = ToolDispatchContext(tool, input, turn_number=self.turn, session_id=session)
        result: ToolDispatchResult = anyio.run(self.pipeline.invoke, ctx)
        blocked = str(result.output).startswith("blocked by safety shield")
        assert blocked == (model.action(tool, text) == "block")
        if blocked:
            assert len(self.ran) == before
            return None
        model.history.append((tool, text))
        self.windows.setdefault(session, []).append((tool, self.turn))
        return result

    @invariant()
    def the_windows_agree(self) -> None:
        for session, window in getattr(self, "windows", {}).items():
            assert list(self.shield.recent_calls(session)) == window[-20:]


CallDoor.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestCallDoor = CallDoor.TestCase


class Diary:
    """A shield that writes down what it hears, and blocks what it is told to."""

    def __init__(self) -> None:
        self.seen: list[ShieldContext] = []
        self.recorded: list[tuple[str, bool]] = []

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        self.seen.append(ctx)
        blocked = ctx.input["command"] == "block"
        return SafetyDecision.block("no", "test") if blocked else SafetyDecision.allow()

    def record_invocation(
        self, tool_name: str, input: Any, success: bool, *, session_id: str | None = None
    ) -> None:
        assert (tool_name, session_id) == ("Bash", "s")
        self.recorded.append((input["command"], success))

    def watched_tools(self) -> set[str]:
        return {"Bash"}


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@settings(max_examples=15, deadline=None)
@given(
    order=st.permutations(range(100)),
    fates=st.lists(
        st.sampled_from(["run", "fail", "block", "cancel", "crash"]), min_size=100, max_size=100
    ),
)
def test_any_interleaving_of_a_hundred_calls_keeps_the_window(
    backend: str, order: list[int], fates: list[str]
) -> None:
    anyio.run(interleave, order, fates, backend=backend)


class Crowd:
    """A hundred calls that wait, each behind its own door."""

    def __init__(self, fates: list[str]) -> None:
        self.fates = fates
        self.shield = Diary()
        self.layer = SafetyShieldMiddleware(self.shield)
        self.doors = [anyio.Event() for _ in fates]
        self.scopes = [anyio.CancelScope() for _ in fates]
        self.pipeline = pipeline(self.layer, Layer(self.wait), tools={"Bash": self.tool})

    async def wait(self, ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        await self.doors[ctx.turn_number].wait()
        if self.fates[ctx.turn_number] == "crash":
            raise LookupError
        return await next.dispatch(ctx)

    async def tool(self, command: str) -> None:
        if command == "fail":
            raise OSError

    async def run(self, at: int) -> None:
        with self.scopes[at]:
            try:
                await self.pipeline.invoke(bash(self.fates[at], turn_number=at, session_id="s"))
            except LookupError:
                assert self.fates[at] == "crash"

    async def end(self, at: int) -> None:
        if self.fates[at] == "cancel":
            self.scopes[at].cancel()
        self.doors[at].set()
        await anyio.wait_all_tasks_blocked()


async def interleave(order: list[int], fates: list[str]) -> None:
    """Begin a hundred calls, end them in the given order, and compare after each end."""
    crowd = Crowd(fates)
    ended: list[int] = []
    async with anyio.create_task_group() as group:
        for at in range(100):
            group.start_soon(crowd.run, at)
        await anyio.wait_all_tasks_blocked()
        for at in order:
            await crowd.end(at)
            ended += [] if fates[at] == "block" else [at]
            assert crowd.layer.recent_calls("s") == tuple(("Bash", each) for each in ended[-20:])
    assert len(crowd.shield.seen) == 100
    assert crowd.shield.recorded == [(fates[at], fates[at] == "run") for at in ended]
    assert crowd.layer.recent_calls() == ()
