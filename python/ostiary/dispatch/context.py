"""What goes down a pipeline, and what comes back."""

from dataclasses import dataclass, field
from typing import Any

ToolOutput = str | list[Any]
"""What a model reads of a call: a text, or a list of content blocks."""


@dataclass(slots=True)
class ToolDispatchContext:
    """One tool call on its way down; built once a call, and middleware may change it.

    Attributes:
        tool_name: The tool to run; a middleware that changes it sends the call to another one.
        input: What the tool is called with, a JSON value.
        call_id: The model's id of the call, repeated in the result.
        turn_number: Number of the turn, from 0.
        session_id: The conversation that the call belongs to.
        extensions: Whatever the host wants its own middleware and tools to know. The key `cwd`
            holds the directory that relative paths start from.
        memory: What a middleware keeps about this one call, under itself as the key; a call that
            an outer layer repeats still has it, and `invoke` begins with an empty one.
    """

    tool_name: str
    input: Any
    call_id: str = ""
    turn_number: int = 0
    session_id: str | None = None
    extensions: dict[str, Any] = field(default_factory=dict)
    memory: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def cwd(self) -> str | None:
        """The host's `cwd`, where it is a string."""
        cwd = self.extensions.get("cwd")
        return cwd if isinstance(cwd, str) else None


@dataclass(frozen=True, slots=True)
class ToolDispatchResult:
    """What came of a call; a failure is a result too, for the model to read.

    Attributes:
        tool_call_id: The id that the call came with.
        output: A text, or a list of content blocks.
        is_error: Whether the call failed or was refused.
        resolved_tool_name: The tool that ran; empty where none did.
        duration: Seconds that the tool took; 0 where none ran.
        display_hint: How a user interface may show the output.
    """

    tool_call_id: str
    output: ToolOutput
    is_error: bool = False
    resolved_tool_name: str = ""
    duration: float = 0.0
    display_hint: str | None = None
