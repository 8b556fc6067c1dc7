"""Nine defects that were seen in the origin, one test each: four kept for parity, five cured.

`docs/differences.md` tells the same story in words.
"""

import gc
import logging
from typing import Any

import anyio
import pytest

from calls import Counter, Layer, PlainShield, bash, call, echo, pipeline
from ostiary import (
    SafetyDecision,
    SafetyShieldMiddleware,
    ShieldContext,
    ToolDispatchContext,
    ToolDispatchResult,
    ToolPipeline,
    UnixShield,
)


def judge(shield: UnixShield, command: str) -> str:
    return shield.evaluate(ShieldContext("Bash", {"command": command})).action.value


def test_1_kept_what_only_looks_dangerous_is_blocked() -> None:
    harmless = ["curl localhost:8080/health", 'grep -rn "rm -rf" src/', "rm -f /tmp/own.lock"]
    assert {judge(UnixShield(), command) for command in harmless} == {"block"}


def test_2_kept_repetition_lifts_a_warning_to_a_block() -> None:
    shield = UnixShield()
    assert judge(shield, "sudo apt update") == "warn"
    for _ in range(3):
        shield.record_invocation("Bash", {"command": "ls"}, True)
    assert judge(shield, "sudo apt update") == "block"


def test_3_kept_a_complete_rule_adds_to_any_later_call() -> None:
    shield = UnixShield()
    shield.record_invocation("Write", {"file_path": "a"}, True)
    shield.record_invocation("Bash", {"command": "chmod +x b"}, True)
    later = shield.evaluate(ShieldContext("Edit", {"file_path": "/etc/hosts"}))
    assert later.is_blocked
    assert UnixShield().evaluate(ShieldContext("Edit", {"file_path": "/etc/hosts"})).is_warn


def test_4_kept_the_same_command_written_otherwise_passes() -> None:
    rewritten = ["rm  -rf /", "rm -r -f /", 'r""m -rf /', "rm${IFS}-rf${IFS}/", "rm \\\n-rf /"]
    assert {judge(UnixShield(), command) for command in rewritten} == {"allow"}


async def test_5_cured_calls_side_by_side_see_each_other() -> None:
    built = pipeline(SafetyShieldMiddleware(UnixShield()), tools={"Bash": checkpoint})
    results = await built.invoke_concurrently([bash("sudo true") for _ in range(6)])
    assert [result.is_error for result in results] == [False, False, True, True, True, True]


async def checkpoint(command: str) -> str:
    await anyio.lowlevel.checkpoint()
    return command


async def test_6_cured_a_cancelled_call_is_recorded() -> None:
    async def hang(command: str) -> None:
        if command == "hang":
            scope.cancel()
            await anyio.sleep_forever()

    shield = PlainShield()
    built = pipeline(SafetyShieldMiddleware(shield), tools={"Bash": hang})
    with anyio.CancelScope() as scope:
        await built.invoke(bash("hang"))
    assert shield.recorded == [("Bash", {"command": "hang"}, False)]


def dropped(shield: Any) -> None:
    """Begin a call by hand, and let it go while its tool waits."""

    async def wait(**_: Any) -> None:
        await Forever()

    class Forever:
        def __await__(self) -> Any:
            yield

    running = pipeline(SafetyShieldMiddleware(shield), tools={"Bash": wait}).invoke(bash("ls"))
    running.send(None)
    running.close()
    del running
    gc.collect()


def test_6_cured_a_dropped_call_is_recorded() -> None:
    shield = PlainShield()
    dropped(shield)
    assert shield.recorded == [("Bash", {"command": "ls"}, False)]


class Awaited(PlainShield):
    """A shield that must be awaited, with a record that is no coroutine where it is told to."""

    def __init__(self, *, coroutine: bool) -> None:
        super().__init__()
        self.coroutine = coroutine

    def record_invocation(self, *_: Any, **__: Any) -> Any:
        async def record() -> None:
            raise AssertionError

        class Record:
            def __await__(self) -> Any:
                raise AssertionError

        return record() if self.coroutine else Record()


@pytest.mark.parametrize("coroutine", [True, False])
def test_a_dropped_call_whose_record_must_be_awaited_is_logged(
    coroutine: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "ostiary"):
        dropped(Awaited(coroutine=coroutine))
    assert ["could not be told" in record.getMessage() for record in caplog.records] == [True]


def retrying(attempts: int) -> Layer:
    async def retry(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        for _ in range(attempts - 1):
            await next.dispatch(ctx)
        return await next.dispatch(ctx)

    return Layer(retry)


async def test_7_cured_an_outer_retry_is_one_call(caplog: pytest.LogCaptureFixture) -> None:
    shield = PlainShield(SafetyDecision.warn("odd", "test"))
    layer = SafetyShieldMiddleware(shield)
    tool = Counter()
    built = pipeline(retrying(3), layer, tools={"Bash": tool})
    with caplog.at_level(logging.WARNING, "ostiary"):
        await built.invoke(bash("ls"))
    assert tool.ran == [{"command": "ls"}] * 3
    assert (len(shield.seen), len(shield.recorded), len(caplog.records)) == (1, 1, 1)
    assert layer.recent_calls() == (("Bash", 0),)


async def test_an_outer_retry_of_a_reserved_call_settles_again_and_counts_once() -> None:
    shield = UnixShield()
    built = pipeline(retrying(4), SafetyShieldMiddleware(shield))
    await built.invoke(bash("ls"))
    assert shield.assess_multi_turn(ShieldContext("Bash", {})) == pytest.approx(0.1)


@pytest.mark.parametrize("change", ["tool_name", "input", "session_id"])
async def test_a_retry_of_another_call_is_another_call(change: str) -> None:
    async def retry(ctx: ToolDispatchContext, next: ToolPipeline) -> ToolDispatchResult:
        await next.dispatch(ctx)
        setattr(ctx, change, "Write")
        return await next.dispatch(ctx)

    shield = PlainShield(tools="Bash Write")
    tools = {"Bash": tolerant, "Write": tolerant}
    await pipeline(Layer(retry), SafetyShieldMiddleware(shield), tools=tools).invoke(bash("ls"))
    assert (len(shield.seen), len(shield.recorded)) == (2, 2)


async def tolerant(*_: Any, **__: Any) -> str:
    return "ok"


async def test_a_context_that_is_invoked_again_is_another_call() -> None:
    shield = PlainShield()
    built, ctx = pipeline(SafetyShieldMiddleware(shield)), bash("ls")
    await built.invoke(ctx)
    await built.invoke(ctx)
    assert (len(shield.seen), len(shield.recorded)) == (2, 2)


async def test_8_cured_a_fault_under_the_lock_costs_no_history() -> None:
    shield = UnixShield()
    built = pipeline(SafetyShieldMiddleware(shield))
    await built.invoke(bash("ls"))
    refused = await built.invoke(call("Bash", {"command": object()}))
    assert refused.is_error
    await built.invoke(bash("ls"))
    assert shield.assess_multi_turn(ShieldContext("Bash", {})) == pytest.approx(0.3)


async def test_9_cured_on_request_the_model_reads_warnings_and_categories() -> None:
    built = pipeline(
        SafetyShieldMiddleware(UnixShield(), surface_warnings=True), tools={"Bash": echo}
    )
    warned = await built.invoke(bash("sudo true"))
    assert str(warned.output).endswith("(score=0.60) (safety_evaluation)]")
    refused = await built.invoke(bash("rm -rf /"))
    assert str(refused.output).endswith("category=critical) (safety_evaluation)")
