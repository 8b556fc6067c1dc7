"""Every number of the command shield's reading, once, each with its reason."""

from typing import Final

MAX_COMMAND_BYTES: Final = 1024 * 1024
"""Bytes of a command that are read: the kernel takes 2 MiB of arguments in all, 128 KiB in one."""

MAX_NODES: Final = 20_000
"""Words and commands of a command: some 5 ms of work (2026-12-01)."""

MAX_DEPTH: Final = 64
"""Layers of nesting, two or three for each `$(` or group; people write fewer than ten."""

MAX_RUNS: Final = 2_000
"""Programs that one command may run."""

MAX_DECODED_BYTES: Final = 1024 * 1024
"""Bytes that are worked out on the way: code in code, decoded text, values of variables."""

READING_LIMITS: Final = (MAX_COMMAND_BYTES, MAX_NODES, MAX_DEPTH, MAX_RUNS, MAX_DECODED_BYTES)
"""The limits in the order in which the core takes them."""
