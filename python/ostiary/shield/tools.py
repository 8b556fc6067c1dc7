"""Which tools are judged, and what their inputs mean as a command."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import join
from shlex import join as quoted
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import Reading, Redirect, Run

COMMAND_FIELDS: Final = ("command", "cmd", "script", "code", "commands", "command_line")
PATH_FIELDS: Final = (
    "file_path", "path", "filename", "file", "filepath", "target_file", "notebook_path",
    "TargetFile", "absolute_path", "relative_path",
)  # fmt: skip
CONTENT_FIELDS: Final = (
    "content", "contents", "file_text", "new_string", "new_str", "new_source", "code_edit", "text",
    "insert_text", "new_text", "diff", "data",
)  # fmt: skip
PATCH_FIELDS: Final = ("input", "patch", "diff", "patch_text")
REPLACED_FIELDS: Final = ("old_string", "old_str", "old_text", "old_source", "search")
ADDRESS_FIELDS: Final = ("url", "uri", "address", "link", "href")
SAVED_FIELDS: Final = (
    "output_path", "save_path", "save_to", "destination", "dest", "output", "out", "file_path",
    "path", "filename",
)  # fmt: skip
CWD_FIELDS: Final = ("cwd", "workdir", "working_directory", "working_dir", "directory", "dir_path")


@dataclass(frozen=True, slots=True)
class ToolFields:
    """Where a tool's input holds what is judged; of several fields the first that is there counts.

    Attributes:
        command: The command; a list of strings is a program with its arguments.
        joined: Fields that make up the command together: the program, then its arguments.
        path: The file that is written.
        content: What is written.
        patch: A patch that names its files itself.
        address: What is fetched.
        saved: The file that a fetched content goes to.
        edits: Whether `content` is a part of the file and not all of it.
    """

    command: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    patch: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    edits: bool = False


SHELL: Final = ToolFields(command=COMMAND_FIELDS)
WRITER: Final = ToolFields(path=PATH_FIELDS, content=CONTENT_FIELDS)
EDITOR: Final = ToolFields(path=PATH_FIELDS, content=CONTENT_FIELDS, edits=True)
PATCHER: Final = ToolFields(patch=PATCH_FIELDS)
FETCHER: Final = ToolFields(address=ADDRESS_FIELDS, saved=SAVED_FIELDS)

_NAMES: Final = {
    SHELL: """Bash Shell bash shell sh terminal exec exec_command execute execute_command
        execute_bash execute_shell run_bash run_command run_commands run_in_terminal
        run_shell_command run_terminal_cmd run_terminal_command local_shell local_shell_call
        container.exec shell_command bash_tool shell_tool developer__shell ShellTool BashTool
        command_line""",
    WRITER: """Write write write_file WriteFile create_file write_to_file save_file file_write
        fs_write create_text_file""",
    EDITOR: """Edit edit MultiEdit NotebookEdit edit_file EditFile str_replace str_replace_editor
        str_replace_based_edit_tool replace replace_in_file insert_edit_into_file file_edit
        search_replace append_file append_to_file text_editor""",
    PATCHER: "apply_patch ApplyPatch apply_diff",
    FETCHER: """WebFetch web_fetch fetch fetch_url FetchUrl download download_file DownloadFile
        http_get http_request read_url save_url""",
}

DEFAULT_TOOLS: Final[Mapping[str, ToolFields]] = MappingProxyType(
    {name: fields for fields, names in _NAMES.items() for name in names.split()}
)
"""The tools of Claude Code, Codex, Gemini CLI, Cursor, OpenHands, Goose and of frameworks."""


class Text(NamedTuple):
    """A call that is a command line.

    Attributes:
        command: The command line.
        cwd: The folder that the input names for it, as it is written there; "" where it does not.
    """

    command: str
    cwd: str = ""


class Put(NamedTuple):
    """A file's whole text is written."""

    path: str
    text: str


class Edit(NamedTuple):
    """Parts of a file are replaced: each is the old text and the new one."""

    path: str
    edits: tuple[tuple[str, str], ...]


class Files(NamedTuple):
    """What a call does to files, in order; a run is a program that would do the same."""

    calls: tuple[Put | Edit | Run, ...]


class Unusable(NamedTuple):
    """An input in which there is no command to judge.

    Attributes:
        reason: What is wrong with it.
        action: What to do with the call: a tool that runs commands may find one where we do not.
    """

    reason: str
    action: SafetyAction


Said = Text | Files | Unusable
"""What a call means."""


def said_by(tool_name: str, fields: ToolFields, given: Any) -> Said:
    """Return what a call means; never raises, whatever the input is.

    Args:
        tool_name: The tool, for reasons.
        fields: Where its input holds what is judged.
        given: The input.
    """
    if isinstance(given, str) and not fields.path and not fields.address:
        return _patched(given) if fields.patch else Text(given)
    if not isinstance(given, Mapping):
        action = SafetyAction.ALLOW if given is None else _worst_of(fields)
        return Unusable(f"the input of {tool_name} is no object with fields", action)
    if fields.patch:
        patch = _first(given, fields.patch)
        if isinstance(patch, str):
            return _patched(patch)
        return Unusable(f"the input of {tool_name} has no patch as text", _worst_of(fields))
    return _reader_of(fields)(tool_name, fields, given)


def _reader_of(
    fields: ToolFields,
) -> Callable[[str, ToolFields, Mapping[Any, Any]], Said]:
    if fields.joined:
        return _joined
    if fields.command:
        return _commanded
    return _fetched if fields.address else _written


def _worst_of(fields: ToolFields) -> SafetyAction:
    return SafetyAction.BLOCK if fields.command or fields.joined else SafetyAction.WARN


def _first(given: Mapping[Any, Any], fields: tuple[str, ...]) -> Any:
    return next((given[field] for field in fields if given.get(field) is not None), None)


def _cwd(given: Mapping[Any, Any]) -> str:
    cwd = _first(given, CWD_FIELDS)
    return cwd if isinstance(cwd, str) else ""


def _commanded(tool_name: str, fields: ToolFields, given: Mapping[Any, Any]) -> Said:
    inner = given.get("action")
    if isinstance(inner, Mapping):  # a local shell call: {"action": {"command": [...]}}
        given = inner
    command = _first(given, fields.command)
    if command is None:
        known = ", ".join(fields.command)
        idle = not given or given.get("restart") is True
        action = SafetyAction.ALLOW if idle else SafetyAction.BLOCK
        return Unusable(f"the input of {tool_name} has none of the fields {known}", action)
    text = _as_text(command)
    if text is None:
        kind = type(command).__name__
        reason = f"the command of {tool_name} is neither a text nor a list of texts: {kind}"
        return Unusable(reason, SafetyAction.BLOCK)
    return Text(text, _cwd(given))


def _as_text(command: Any) -> str | None:
    if isinstance(command, str):
        return command
    if isinstance(command, list | tuple) and all(isinstance(word, str) for word in command):
        return quoted(command)
    return None


def _joined(tool_name: str, fields: ToolFields, given: Mapping[Any, Any]) -> Said:
    words: list[str] = []
    for field in fields.joined:
        value = given.get(field)
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
            words.extend(value)
        elif value is not None:
            kind = type(value).__name__
            reason = f"{tool_name}.{field} is neither a text nor a list of texts: {kind}"
            return Unusable(reason, SafetyAction.BLOCK)
    if not words:
        names = ", ".join(fields.joined)
        action = SafetyAction.BLOCK if given else SafetyAction.ALLOW
        return Unusable(f"the input of {tool_name} has none of the fields {names}", action)
    return Text(quoted(words), _cwd(given))


def _written(tool_name: str, fields: ToolFields, given: Mapping[Any, Any]) -> Said:
    path = _first(given, fields.path)
    if not isinstance(path, str):
        if path is None:
            return Unusable(f"the input of {tool_name} names no file", SafetyAction.ALLOW)
        reason = f"{tool_name} names a file that is no text: {type(path).__name__}"
        return Unusable(reason, SafetyAction.WARN)
    verb = given.get("command")  # the editor of Anthropic's API has several in one
    if verb == "view":
        return Files(())
    if fields.edits and verb != "create":
        return Files((Edit(path, tuple(_edits(given, fields.content))),))
    return Files((Put(path, _text(given, fields.content)),))


def _text(given: Mapping[Any, Any], fields: tuple[str, ...]) -> str:
    content = _first(given, fields)
    if isinstance(content, list | tuple):
        return "\n".join(line for line in content if isinstance(line, str))
    return content if isinstance(content, str) else ""


def _edits(given: Mapping[Any, Any], fields: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    several = given.get("edits")
    for edit in several if isinstance(several, list | tuple) else (given,):
        if isinstance(edit, Mapping):
            yield _text(edit, REPLACED_FIELDS), _text(edit, fields)


def _fetched(_: str, fields: ToolFields, given: Mapping[Any, Any]) -> Said:
    address, path = _first(given, fields.address), _first(given, fields.saved)
    if not isinstance(address, str):
        return Files(())
    if not isinstance(path, str):
        return Files((run("curl", "--", address),))
    return Files((run("curl", "-o", path, "--", address),))


# Patches: the format of Codex, and the unified one


def _patched(patch: str) -> Files:
    """Return what a patch does to files; lines that it keeps count as old and as new."""
    calls: list[Put | Edit | Run] = []
    for line in patch.splitlines():
        head, colon, rest = line.partition(": ")
        name = rest.strip()
        last = calls[-1] if calls else None
        if head == "*** Add File" and colon:
            calls.append(Put(name, ""))
        elif head == "*** Update File" and colon:
            calls.append(Edit(name, ()))
        elif head == "*** Delete File" and colon:
            calls.append(run("rm", name))
        elif head == "*** Move to" and isinstance(last, Edit):
            calls.append(run("mv", last.path, name))
            calls.append(Edit(name, ()))
        elif line.startswith("+++ "):
            calls.append(Edit(line[4:].partition("\t")[0].strip().removeprefix("b/"), ()))
        elif isinstance(last, Put) and line.startswith("+"):
            calls[-1] = last._replace(text=f"{last.text}{line[1:]}\n")
        elif isinstance(last, Edit):
            calls[-1] = last._replace(edits=_with_line(last.edits, line))
    return Files(tuple(calls))


def _with_line(edits: tuple[tuple[str, str], ...], line: str) -> tuple[tuple[str, str], ...]:
    """Return a patch's hunks with one line more."""
    if line.startswith("@@"):
        return (*edits, ("", ""))
    if line[:1] not in {"+", "-", " "} or line.startswith("--- "):
        return edits
    old, new = edits[-1] if edits else ("", "")
    text = line[1:] + "\n"
    hunk = (old + text * (line[0] != "+"), new + text * (line[0] != "-"))
    return (*edits[:-1], hunk)


def run(program: str, *args: str) -> Run:
    """Return a program with exact arguments, as the reader would say it."""
    return Run(program, "", args, bytes(len(args) + 1), (), (), "", None, None, (), (), 0, 0)


def reading_of(calls: Files, cwd: str, text_of: Callable[[str], str | None]) -> Reading:
    """Return what a call does to files, said as a command does it.

    Args:
        calls: What the call does.
        cwd: The folder that its paths start from.
        text_of: The whole text of a file where it is known, by the path as it is written.
    """
    return Reading(
        tuple(_run_of(call, text_of)._replace(cwd=cwd) for call in calls.calls), (), cwd, ()
    )


def _run_of(call: Put | Edit | Run, text_of: Callable[[str], str | None]) -> Run:
    if isinstance(call, Put):
        return _redirected(">", call.path, call.text)
    if isinstance(call, Edit):
        known = text_of(call.path)
        if known is not None and all(old in known for old, _ in call.edits):
            for old, new in call.edits:
                known = known.replace(old, new) if old else known + new
            return _redirected(">", call.path, known)
        return _redirected(">>", call.path, "\n".join(new for _, new in call.edits))
    return call


def _redirected(op: str, path: str, text: str) -> Run:
    return run("")._replace(redirects=(Redirect(op, 1, path, 0),), output=text)


def inner_cwd(outer: str, named: str) -> str:
    """Return the folder that an input names, seen from another one."""
    return join(outer, named) if named else outer
