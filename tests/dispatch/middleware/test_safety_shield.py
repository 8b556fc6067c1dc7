"""The shield before each watched call: what it sees, what it decides, what it hears afterwards."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from calls import Counter, DiaryShield, Layer, PlainShield, bash, call, echo, pipeline
from ostiary import (
    CallOutcome,
    NullShield,
    SafetyDecision,
    SafetyShieldMiddleware,
    ShieldContext,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    UnixShield,
)
from unix_table import SEQUENCES, TABLE, Row, spelled_out

WARN = SafetyDecision.warn("odd", "test")
BLOCK = SafetyDecision.block("bad", "test")


async def fail(**_: Any) -> None:
    raise ValueError("no")


def test_the_layer_is_called_safety_shield() -> None:
    assert SafetyShieldMiddleware(NullShield()).name == "safety_shield"


async def test_the_shield_sees_the_call_before_it_runs() -> None:
    shield = PlainShield()
    ctx = bash("ls", turn_number=3, session_id="s", extensions={"cwd": "/srv"})
    await pipeline(SafetyShieldMiddleware(shield)).invoke(ctx)
    assert shield.seen == [ShieldContext("Bash", {"command": "ls"}, 3, (), "s", "/srv")]


async def test_a_blocked_call_does_not_run_and_says_why() -> None:
    tool = Counter()
    shield = PlainShield(BLOCK)
    layer = SafetyShieldMiddleware(shield)
    built = pipeline(layer, tools={"Bash": tool})
    result = await built.invoke(bash("ls", call_id="c1"))
    assert result == ToolDispatchResult("c1", "blocked by safety shield: bad", is_error=True)
    assert (result.resolved_tool_name, result.duration, result.display_hint) == ("", 0.0, None)
    assert (tool.ran, shield.recorded, layer.recent_calls()) == ([], [], ())


async def test_a_block_without_a_reason_is_a_high_risk() -> None:
    shield = PlainShield(SafetyDecision(BLOCK.action))
    result = await pipeline(SafetyShieldMiddleware(shield, surface_warnings=True)).invoke(
        bash("ls")
    )
    assert result.output == "blocked by safety shield: high risk"


async def test_a_warned_call_runs_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "ostiary"):
        result = await pipeline(SafetyShieldMiddleware(PlainShield(WARN))).invoke(bash("ls"))
    assert result.output == "{'command': 'ls'}"
    (record,) = caplog.records
    assert record.name.startswith("ostiary.")
    assert record.levelno == logging.WARNING
    fields = {name: record.__dict__[name] for name in ("tool", "reason", "category")}
    assert fields == {"tool": "Bash", "reason": "odd", "category": "test"}


async def test_a_call_that_ran_is_recorded_with_its_success() -> None:
    shield = PlainShield(tools="Bash Fail")
    layer = SafetyShieldMiddleware(shield)
    built = pipeline(layer, tools={"Fail": fail})
    await built.invoke(bash("ls", turn_number=1, session_id="s"))
    await built.invoke(call("Fail", {"x": 1}, turn_number=2, session_id="s"))
    assert shield.recorded == [("Bash", {"command": "ls"}, True), ("Fail", {"x": 1}, False)]
    assert shield.sessions == ["s", "s"]
    assert layer.recent_calls("s") == (("Bash", 1), ("Fail", 2))
    assert layer.recent_calls() == ()


async def test_the_window_is_what_the_shield_sees_of_earlier_calls() -> None:
    shield = PlainShield()
    built = pipeline(SafetyShieldMiddleware(shield))
    for turn in range(25):
        await built.invoke(bash("ls", turn_number=turn))
    assert shield.seen[2].recent_calls == (("Bash", 0), ("Bash", 1))
    assert shield.seen[-1].recent_calls == tuple(("Bash", turn) for turn in range(4, 24))


async def test_unwatched_calls_are_neither_judged_nor_recorded() -> None:
    shield = PlainShield(BLOCK)
    layer = SafetyShieldMiddleware(shield)
    assert not (await pipeline(layer).invoke(call("Read"))).is_error
    assert (shield.seen, shield.recorded, layer.recent_calls()) == ([], [], ())


async def test_with_an_empty_watch_set_nothing_is_judged() -> None:
    shield = PlainShield(BLOCK, tools="")
    assert not (await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))).is_error
    assert (shield.seen, shield.recorded) == ([], [])


async def test_the_name_that_reaches_the_layer_is_judged() -> None:
    async def rename(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        ctx.tool_name = "Bash"
        return await next.dispatch(ctx)

    shield = PlainShield()
    await pipeline(Layer(rename), SafetyShieldMiddleware(shield)).invoke(call("sh"))
    assert [seen.tool_name for seen in shield.seen] == ["Bash"]


async def test_what_happens_to_a_call_inside_never_leaks_into_the_record() -> None:
    async def rewrite(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        ctx.input["command"][0] = "rewritten"
        ctx.tool_name, ctx.input = "Write", {"x": 1}
        return await next.dispatch(ctx)

    shield = PlainShield()
    layer = SafetyShieldMiddleware(shield)
    await pipeline(layer, Layer(rewrite)).invoke(call("Bash", {"command": ["ls"]}))
    assert shield.recorded == [("Bash", {"command": ["ls"]}, True)]
    assert layer.recent_calls() == (("Bash", 0),)


async def test_what_a_tool_does_to_its_input_never_leaks_into_the_record() -> None:
    def mutate(command: list[str]) -> None:
        command.append("changed")

    shield = PlainShield()
    built = pipeline(SafetyShieldMiddleware(shield), tools={"Bash": mutate})
    await built.invoke(call("Bash", {"command": []}))
    assert shield.recorded == [("Bash", {"command": []}, True)]


class ThreeArguments(PlainShield):
    """A shield that knows no sessions."""

    def record_invocation(self, tool_name: str, input: Any, success: bool) -> None:  # type: ignore[override]
        self.recorded.append((tool_name, input, success))


class AnyArguments(PlainShield):
    """A shield that takes whatever comes."""

    def record_invocation(self, *args: Any, **others: Any) -> None:
        super().record_invocation(*args, **others)


class Unsigned(PlainShield):
    """A shield whose method does not say what it takes."""

    class _Record:
        __signature__ = "none"

        def __init__(self, told: list[Any]) -> None:
            self.told = told

        def __call__(self, *args: Any, **_: Any) -> None:
            self.told.append(args)

    def __init__(self) -> None:
        super().__init__()
        self.record_invocation: Any = self._Record(self.recorded)


@pytest.mark.parametrize("make", [PlainShield, ThreeArguments, AnyArguments, Unsigned])
async def test_a_shield_may_do_without_sessions(make: Callable[[], PlainShield]) -> None:
    shield = make()
    await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))
    assert shield.recorded == [("Bash", {"command": "ls"}, True)]


class Awaited(PlainShield):
    """A shield somewhere else."""

    async def evaluate(self, ctx: ShieldContext) -> SafetyDecision:  # type: ignore[override]
        await anyio.lowlevel.checkpoint()
        return super().evaluate(ctx)

    async def record_invocation(self, *args: Any, **others: Any) -> None:  # type: ignore[override]
        await anyio.lowlevel.checkpoint()
        super().record_invocation(*args, **others)


async def test_an_async_shield_is_awaited() -> None:
    shield = Awaited()
    assert not (await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))).is_error
    assert shield.recorded == [("Bash", {"command": "ls"}, True)]
    shield.decision = BLOCK
    assert (await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))).is_error


@pytest.mark.parametrize("stranger", [object(), type("Half", (), {"evaluate": print})()])
def test_what_is_no_shield_is_refused(stranger: Any) -> None:
    with pytest.raises(TypeError, match="watched_tools"):
        SafetyShieldMiddleware(stranger)


def test_an_answer_to_errors_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="on_error"):
        SafetyShieldMiddleware(NullShield(), on_error="maybe")  # type: ignore[arg-type]


class Broken(PlainShield):
    """A shield that raises where it is told to, or answers nonsense."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where

    def watched_tools(self) -> set[str]:
        return self._fail("watched_tools") or super().watched_tools()

    def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
        return self._fail("evaluate") or super().evaluate(ctx)

    def record_invocation(self, *args: Any, **others: Any) -> None:
        self._fail("record_invocation")
        super().record_invocation(*args, **others)

    def _fail(self, where: str) -> Any:
        if self.where == where:
            raise OSError("secret detail")
        return "nonsense" if self.where == "answer" and where == "evaluate" else None


@pytest.mark.parametrize(
    ("where", "name"),
    [("watched_tools", "OSError"), ("evaluate", "OSError"), ("answer", "TypeError")],
)
async def test_a_shield_that_raises_blocks(
    where: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    shield = Broken(where)
    with caplog.at_level(logging.WARNING, "ostiary"):
        result = await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls", call_id="c1"))
    text = f"blocked by safety shield: the shield failed ({name}), so the call was not judged"
    assert result == ToolDispatchResult("c1", text, is_error=True)
    (record,) = caplog.records
    assert (record.levelno, record.__dict__["category"]) == (logging.ERROR, "shield_error")
    assert shield.recorded == []


@pytest.mark.parametrize("where", ["watched_tools", "evaluate", "answer"])
async def test_a_shield_that_raises_may_fail_open_with_a_warning(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    shield = Broken(where)
    with caplog.at_level(logging.WARNING, "ostiary"):
        built = pipeline(SafetyShieldMiddleware(shield, on_error="allow"))
        result = await built.invoke(bash("ls"))
    assert not result.is_error
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert shield.recorded == [("Bash", {"command": "ls"}, True)]


async def test_an_input_that_cannot_be_copied_blocks() -> None:
    shield = PlainShield()
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    for command in ((each for each in "ls"), deep):
        ctx = call("Bash", {"command": command})
        result = await pipeline(SafetyShieldMiddleware(shield)).invoke(ctx)
        assert result.is_error
    assert shield.seen == []


async def test_a_record_that_raises_is_logged_and_the_result_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "ostiary"):
        built = pipeline(SafetyShieldMiddleware(Broken("record_invocation")))
        result = await built.invoke(bash("ls"))
    assert result.output == "{'command': 'ls'}"
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def cancelling() -> tuple[anyio.CancelScope, Callable[..., Awaitable[None]]]:
    scope = anyio.CancelScope()

    async def hang(**_: Any) -> None:
        scope.cancel()
        await anyio.sleep_forever()

    return scope, hang


@pytest.mark.parametrize("make", [PlainShield, Awaited])
async def test_a_cancelled_call_is_recorded_as_not_successful(
    make: Callable[[], PlainShield],
) -> None:
    shield = make()
    layer = SafetyShieldMiddleware(shield)
    scope, hang = cancelling()
    with scope:
        await pipeline(layer, tools={"Bash": hang}).invoke(bash("ls"))
    assert scope.cancelled_caught
    assert shield.recorded == [("Bash", {"command": "ls"}, False)]
    assert layer.recent_calls() == (("Bash", 0),)


class RaisingLate(Awaited):
    async def record_invocation(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        await anyio.lowlevel.checkpoint()
        raise OSError


async def test_a_record_of_a_cancelled_call_that_raises_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scope, hang = cancelling()
    with caplog.at_level(logging.WARNING, "ostiary"), scope:
        await pipeline(SafetyShieldMiddleware(RaisingLate()), tools={"Bash": hang}).invoke(
            bash("x")
        )
    assert scope.cancelled_caught
    assert len(caplog.records) == 1


async def crash(_: ToolDispatchContext, __: ToolPipeline) -> ToolDispatchResult:
    raise LookupError


async def test_a_crashed_call_is_recorded_as_not_successful() -> None:
    shield = PlainShield()
    with pytest.raises(LookupError):
        await pipeline(SafetyShieldMiddleware(shield), Layer(crash)).invoke(bash("ls"))
    assert shield.recorded == [("Bash", {"command": "ls"}, False)]


@pytest.mark.parametrize(
    ("tool", "outcome"), [(echo, CallOutcome.SUCCEEDED), (fail, CallOutcome.FAILED)]
)
async def test_a_reserving_shield_hears_how_the_call_ended(tool: Any, outcome: CallOutcome) -> None:
    shield = DiaryShield()
    await pipeline(SafetyShieldMiddleware(shield), tools={"Bash": tool}).invoke(bash("ls"))
    assert shield.reserved == [ShieldContext("Bash", {"command": "ls"})]
    assert shield.settled == [(1, outcome)]


async def test_a_reserving_shield_hears_of_a_cancellation() -> None:
    shield = DiaryShield()
    scope, hang = cancelling()
    with scope:
        await pipeline(SafetyShieldMiddleware(shield), tools={"Bash": hang}).invoke(bash("ls"))
    assert shield.settled == [(1, CallOutcome.CANCELLED)]


@pytest.mark.parametrize("error", [LookupError, KeyboardInterrupt])
async def test_a_reserving_shield_hears_of_a_crash(error: type[BaseException]) -> None:
    async def layer(_: ToolDispatchContext, __: ToolPipeline) -> ToolDispatchResult:
        raise error

    shield = DiaryShield()
    with pytest.raises(error):
        await pipeline(SafetyShieldMiddleware(shield), Layer(layer)).invoke(bash("ls"))
    assert shield.settled == [(1, CallOutcome.UNKNOWN)]


async def test_a_blocked_reservation_is_not_settled() -> None:
    shield = DiaryShield(BLOCK)
    assert (await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))).is_error
    assert shield.settled == []


class BrokenReserve(DiaryShield):
    def reserve(self, ctx: ShieldContext) -> tuple[SafetyDecision, object]:
        raise OSError


async def test_a_reserving_shield_that_failed_open_has_nothing_to_settle() -> None:
    shield = BrokenReserve()
    layer = SafetyShieldMiddleware(shield, on_error="allow")
    assert not (await pipeline(layer).invoke(bash("ls"))).is_error
    assert shield.settled == []
    assert layer.recent_calls() == (("Bash", 0),)


class BothWays(PlainShield):
    def __init__(self) -> None:
        super().__init__()
        self.diary = DiaryShield()
        self.reserve, self.settle = self.diary.reserve, self.diary.settle


async def test_a_shield_with_both_ways_is_asked_through_the_reserving_one() -> None:
    shield = BothWays()
    await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))
    assert (len(shield.diary.reserved), len(shield.diary.settled)) == (1, 1)
    assert (shield.seen, shield.recorded) == ([], [])


async def test_the_model_is_told_of_warnings_and_categories_on_request() -> None:
    async def blocks(**_: Any) -> list[Any]:
        return [{"type": "text", "text": "ok"}]

    layer = SafetyShieldMiddleware(PlainShield(WARN), surface_warnings=True)
    warning = "[safety shield warning: odd (test)]"
    assert (await pipeline(layer).invoke(bash("ls"))).output == f"{{'command': 'ls'}}\n{warning}"
    in_blocks = await pipeline(layer, tools={"Bash": blocks}).invoke(bash("ls"))
    assert in_blocks.output == [
        {"type": "text", "text": "ok"},
        {"type": "text", "text": warning},
    ]
    refused = SafetyShieldMiddleware(PlainShield(BLOCK), surface_warnings=True)
    result = await pipeline(refused).invoke(bash("ls"))
    assert result.output == "blocked by safety shield: bad (test)"
    allowed = SafetyShieldMiddleware(PlainShield(), surface_warnings=True)
    assert (await pipeline(allowed).invoke(bash("ls"))).output == "{'command': 'ls'}"


async def test_the_model_reads_a_suggestion_on_request() -> None:
    for make, start, end in (
        (SafetyDecision.warn, "{'command': 'ls'}\n[safety shield warning: ", "]"),
        (SafetyDecision.block, "blocked by safety shield: ", ""),
    ):
        shield = PlainShield(make("odd", "test", "ls -l"))
        told = pipeline(SafetyShieldMiddleware(shield, surface_warnings=True))
        output = (await told.invoke(bash("ls"))).output
        assert output == f"{start}odd (test); instead: ls -l{end}"
        untold = (await pipeline(SafetyShieldMiddleware(shield)).invoke(bash("ls"))).output
        assert "ls -l" not in untold


async def verdict(
    built: ToolPipeline, call_: tuple[str, Any], caplog: pytest.LogCaptureFixture
) -> tuple[str, str | None, str | None]:
    """Return what the middleware made of the shield's decision."""
    caplog.clear()
    with caplog.at_level(logging.WARNING, "ostiary"):
        result = await built.invoke(ToolDispatchContext(*call_))
    if result.is_error:
        reason = str(result.output).removeprefix("blocked by safety shield: ")
        return "block", reason.removesuffix(" (safety_evaluation)"), "safety_evaluation"
    if caplog.records:
        (record,) = caplog.records
        return "warn", record.__dict__["reason"], record.__dict__["category"]
    return "allow", None, None


async def tolerant(*_: Any, **__: Any) -> str:
    return "ok"


def over(shield: UnixShield) -> ToolPipeline:
    tools = dict.fromkeys(("Bash", "Write", "Edit", "Read"), tolerant)
    return pipeline(SafetyShieldMiddleware(shield, surface_warnings=True), tools=tools)


@pytest.mark.parametrize("row", TABLE, ids=str)
async def test_the_middleware_agrees_with_the_table(
    row: Row, caplog: pytest.LogCaptureFixture
) -> None:
    shield = UnixShield()
    for name, input in row.history:
        shield.record_invocation(name, input, True)
    assert await verdict(over(shield), row.call, caplog) == spelled_out(row.verdict)


@pytest.mark.parametrize("sequence", SEQUENCES)
async def test_the_middleware_agrees_with_the_sequences(
    sequence: list[tuple[tuple[str, Any], str]], caplog: pytest.LogCaptureFixture
) -> None:
    built = over(UnixShield())
    for call_, expected in sequence:
        assert await verdict(built, call_, caplog) == spelled_out(expected)


@pytest.mark.parametrize("inputs", [({"x": 1}, {"x": True}), ({"x": {1}}, {"x": {1}})])
async def test_a_repeat_with_other_json_or_with_none_is_judged_anew(inputs: Any) -> None:
    judged: list[Any] = []

    class Judge:
        def evaluate(self, ctx: ShieldContext) -> SafetyDecision:
            judged.append(ctx.input)
            return SafetyDecision.allow()

        def record_invocation(self, tool_name: str, input: Any, success: bool) -> None:
            """Remember nothing."""

        def watched_tools(self) -> set[str]:
            return {"Tool"}

    class Twice:
        name = "twice"

        async def dispatch(
            self, ctx: ToolDispatchContext, next: ToolPipeline
        ) -> ToolDispatchResult:
            await next.dispatch(ctx)
            ctx.input = inputs[1]
            return await next.dispatch(ctx)

    layers = ToolPipeline.builder().with_middleware(Twice())
    judge: Any = Judge()
    layers.with_middleware(SafetyShieldMiddleware(judge))
    pipeline = layers.with_core({"Tool": lambda x: f"{x}"}).build()
    await pipeline.invoke(ToolDispatchContext("Tool", inputs[0]))
    assert [repr(each) for each in judged] == [repr(each) for each in inputs]
