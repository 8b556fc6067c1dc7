"""Git: history, branches and work that nobody committed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import Flags, Grammar, grammar, read_flags
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules import git_settings
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_CATEGORY: Final = "destructive.git"
_STASH: Final = "Keep the work first: `git stash push`."


def _rule(name: str, action: SafetyAction, summary: str, suggestion: str) -> Rule:
    return Rule(f"git.{name}", _CATEGORY, action, summary, suggestion)


RESET: Final = _rule("reset_hard", _BLOCK, "Throws away work that is not committed.", _STASH)
CLEAN: Final = _rule("clean", _BLOCK, "Deletes files that git does not know.",
                     "See first what would go: `git clean -n`.")  # fmt: skip
PUSH: Final = _rule("push_force", _BLOCK, "Overwrites a branch that others may have built on.",
                    "Refuse to lose others' work: `git push --force-with-lease`.")  # fmt: skip
PUSH_DELETE: Final = _rule("push_delete", _WARN, "Deletes branches or tags of a remote.",
                           "Look at them first: `git branch -r`.")  # fmt: skip
DISCARD_ALL: Final = _rule("discard_all", _BLOCK, "Throws away all changes in the files.", _STASH)
DISCARD: Final = _rule("discard_file", _WARN, "Throws away the changes in some files.", _STASH)
BRANCH: Final = _rule("branch_delete", _BLOCK, "Deletes a branch that may not be merged.",
                      "Delete only what is merged: `git branch -d feature`.")  # fmt: skip
TAG: Final = _rule("tag_delete", _WARN, "Deletes a tag.", "Look at it first: `git show v1.0`.")
STASH: Final = _rule("stash_drop", _BLOCK, "Deletes work that was put aside.",
                     "Look at it first: `git stash show -p`.")  # fmt: skip
REFLOG: Final = _rule("reflog", _BLOCK, "Deletes the log by which lost commits are found.",
                      "Look at it: `git reflog`.")  # fmt: skip
PRUNE: Final = _rule("prune", _BLOCK, "Deletes commits that no branch holds, at once.",
                     "Leave the time that git gives them: `git gc`.")  # fmt: skip
REWRITE: Final = _rule("rewrite_history", _BLOCK, "Writes the whole history anew.",
                       "Keep a copy first: `git clone --mirror . /tmp/copy.git`.")  # fmt: skip
REF: Final = _rule("delete_ref", _BLOCK, "Deletes or moves a reference below git's checks.",
                   "Delete only what is merged: `git branch -d feature`.")  # fmt: skip
WORKTREE: Final = _rule("worktree_remove", _BLOCK, "Deletes a worktree with its changes.",
                        "Refuse where there are changes: `git worktree remove ../feature`."
                        )  # fmt: skip
REMOVE: Final = _rule("remove_all", _BLOCK, "Deletes all files that git knows.",
                      "Forget them and keep the files: `git rm -r --cached build`.")  # fmt: skip
REMOTE: Final = _rule("remote_url", _WARN, "Makes a remote point to another place.",
                      "Look where it points: `git remote -v`.")  # fmt: skip
RULES: Final = (
    RESET, CLEAN, PUSH, PUSH_DELETE, DISCARD_ALL, DISCARD, BRANCH, TAG, STASH, REFLOG, PRUNE,
    REWRITE, REF, WORKTREE, REMOVE, REMOTE, *git_settings.RULES,
)  # fmt: skip


class _Verb(NamedTuple):
    """A git command: the scene, its options, its operands as words."""

    scene: Scene
    options: Flags
    words: tuple[str, ...]

    def found(self, rule: Rule, says: str, action: SafetyAction | None = None) -> Finding:
        return rule.finding(self.scene.at, f"{self.scene.shown()} {says}", action)


_EVERYTHING: Final = frozenset({".", "./", "*", ":/", ":", "./*", ":/*", "-A", ":(top)", "..", "/"})
_RESET: Final = grammar("q=quiet p=patch N=intent-to-add",
                        long="hard soft mixed merge keep recurse-submodules pathspec-from-file",
                        valued="pathspec-from-file")  # fmt: skip
_CLEAN: Final = grammar("f=force n=dry-run i=interactive d=d x=x X=X e=exclude q=quiet",
                        valued="exclude e")  # fmt: skip
_PUSH: Final = grammar(
    "f=force d=delete n=dry-run u=set-upstream o=push-option",
    long="force-with-lease force-if-includes mirror prune all tags no-verify follow-tags repo "
         "receive-pack exec signed atomic porcelain",
    valued="push-option repo receive-pack exec",
)  # fmt: skip
_CHECKOUT: Final = grammar(
    "f=force p=patch b=b B=B t=track l=l m=merge q=quiet d=detach",
    long="orphan ours theirs conflict recurse-submodules no-recurse-submodules unified detach "
         "inter-hunk-context pathspec-from-file guess overlay no-overlay discard-changes create "
         "force-create staged worktree source ignore-unmerged no-track",
    valued="b B orphan conflict unified inter-hunk-context pathspec-from-file U",
)  # fmt: skip
_RESTORE: Final = grammar("S=staged W=worktree s=source p=patch q=quiet",
                          long="ours theirs merge pathspec-from-file",
                          valued="source pathspec-from-file")  # fmt: skip
_SWITCH: Final = grammar("f=force c=create C=force-create d=detach t=track m=merge",
                         long="discard-changes orphan guess",
                         valued="create force-create orphan")  # fmt: skip
_BRANCH: Final = grammar("d=delete D=D f=force M=M m=move r=remotes a=all v=verbose")
_OTHER: Final = grammar("f=force r=r n=dry-run d=d", long="cached dry-run prune expire "
                        "aggressive all stdin hard force reset", valued="expire")  # fmt: skip


def _reset(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("hard"):
        yield verb.found(RESET, "throws away all work that is not committed")
    elif verb.options.has("merge", "keep"):
        yield verb.found(RESET, "throws away work that is staged", _WARN)


def _clean(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("force") and not verb.options.has("dry-run", "interactive"):
        some = bool(verb.words) and _EVERYTHING.isdisjoint(verb.words)
        yield verb.found(CLEAN, "deletes files that git does not know", _WARN if some else None)


def _push(verb: _Verb) -> Iterator[Finding]:
    options = verb.options
    if options.has("dry-run"):
        return
    leased = options.has("force-with-lease", "force-if-includes")
    plus = next((word for word in verb.words if word.startswith("+")), None)
    if plus is not None:
        yield verb.found(PUSH, f"overwrites the branch `{shorten(plus[1:])}` of the remote")
    elif options.has("force", "mirror"):
        yield verb.found(
            PUSH, "overwrites the remote's branch, whoever built on it", _WARN if leased else None
        )
    elif options.has("delete", "prune") or any(word.startswith(":") for word in verb.words[1:]):
        yield verb.found(PUSH_DELETE, "deletes branches or tags of the remote")


def _checkout(verb: _Verb) -> Iterator[Finding]:
    options, words = verb.options, verb.words
    if options.has("patch", "ours", "theirs"):
        return
    if options.has("force", "discard-changes"):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")
        return
    dashes = "--" in verb.scene.run.args
    if options.has("b", "B", "orphan", "detach") and not dashes:
        return
    if not _EVERYTHING.isdisjoint(words):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")
    elif (dashes and words) or len(words) > 1 or options.has("pathspec-from-file"):
        yield verb.found(DISCARD, f"throws away the changes in `{shorten(' '.join(words))}`")


def _restore(verb: _Verb) -> Iterator[Finding]:
    options, words = verb.options, verb.words
    if options.has("patch", "ours", "theirs", "merge"):
        return
    if options.has("staged") and not options.has("worktree"):
        return
    if not _EVERYTHING.isdisjoint(words):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")
    elif words or options.has("pathspec-from-file"):
        yield verb.found(DISCARD, f"throws away the changes in `{shorten(' '.join(words))}`")


def _switch(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("force", "discard-changes"):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")


def _branch(verb: _Verb) -> Iterator[Finding]:
    options = verb.options
    if options.has("D") or (options.has("delete") and options.has("force")):
        name = shorten(" ".join(verb.words)) or "…"
        weak = options.has("remotes")
        yield verb.found(BRANCH, f"deletes the branch `{name}`, merged or not",
                         _WARN if weak else None)  # fmt: skip


def _tag(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("delete", "d"):
        yield verb.found(TAG, f"deletes the tag `{shorten(' '.join(verb.words))}`")


def _stash(verb: _Verb) -> Iterator[Finding]:
    if verb.words[:1] in {("drop",), ("clear",)}:
        yield verb.found(STASH, "deletes work that was put aside")


def _reflog(verb: _Verb) -> Iterator[Finding]:
    if verb.words[:1] in {("expire",), ("delete",)} and not verb.options.has("dry-run"):
        yield verb.found(REFLOG, "deletes the log by which lost commits are found")


def _gc(verb: _Verb) -> Iterator[Finding]:
    when = verb.options.value("prune")
    if when in {"now", "all"}:
        yield verb.found(PRUNE, "deletes commits that no branch holds, at once")


def _prune(verb: _Verb) -> Iterator[Finding]:
    if not verb.options.has("dry-run"):
        yield verb.found(PRUNE, "deletes commits that no branch holds", _WARN)


def _rewrite(verb: _Verb) -> Iterator[Finding]:
    if not verb.options.has("analyze", "dry-run"):
        yield verb.found(REWRITE, "writes the whole history anew")


def _update_ref(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("d", "stdin"):
        yield verb.found(REF, "deletes a reference, merged or not")


def _worktree(verb: _Verb) -> Iterator[Finding]:
    if verb.words[:1] == ("remove",) and verb.options.has("force"):
        yield verb.found(WORKTREE, "deletes a worktree with its changes")


def _rm(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("cached", "dry-run"):
        return
    if verb.options.has("r") and not _EVERYTHING.isdisjoint(verb.words):
        weak = None if verb.options.has("force") else _WARN  # refuses where there are changes
        yield verb.found(REMOVE, "deletes all files that git knows", weak)


def _read_tree(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("reset") and verb.options.has("u"):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")


def _checkout_index(verb: _Verb) -> Iterator[Finding]:
    if verb.options.has("force") and verb.options.has("all", "a"):
        yield verb.found(DISCARD_ALL, "throws away all changes in the files")


def _remote(verb: _Verb) -> Iterator[Finding]:
    if verb.words[:1] == ("set-url",):
        yield verb.found(REMOTE, "makes the remote point to another place")


def _submodule(verb: _Verb) -> Iterator[Finding]:
    if verb.words[:1] == ("deinit",) and verb.options.has("force"):
        yield verb.found(DISCARD, "throws away the changes in submodules")


_VERBS: Final[Mapping[str, tuple[Callable[[_Verb], Iterator[Finding]], Grammar]]] = {
    "reset": (_reset, _RESET), "clean": (_clean, _CLEAN), "push": (_push, _PUSH),
    "checkout": (_checkout, _CHECKOUT), "restore": (_restore, _RESTORE),
    "switch": (_switch, _SWITCH), "branch": (_branch, _BRANCH), "tag": (_tag, _BRANCH),
    "stash": (_stash, _OTHER), "reflog": (_reflog, _OTHER), "gc": (_gc, _OTHER),
    "prune": (_prune, _OTHER), "filter-branch": (_rewrite, _OTHER),
    "filter-repo": (_rewrite, _OTHER), "update-ref": (_update_ref, _OTHER),
    "worktree": (_worktree, _OTHER), "rm": (_rm, _OTHER), "read-tree": (_read_tree, _OTHER),
    "checkout-index": (_checkout_index, _OTHER), "remote": (_remote, _OTHER),
    "submodule": (_submodule, _OTHER),
}  # fmt: skip


def check_git(scene: Scene) -> Iterator[Finding]:
    """Yield what a git command loses, and what its settings run."""
    head = git_settings.read_head(scene.run.args)
    yield from git_settings.judge_settings(scene, head)
    verb, rest = head.verb, head.rest
    if verb is None or "--help" in rest:
        return
    known = _VERBS.get(verb)
    if known is None:
        return
    judge, form = known
    options = read_flags(rest, form)
    words = tuple(rest[at] for at in options.operands)
    yield from judge(_Verb(scene, options, words))


CHECKS: Final[Mapping[str, Check]] = {"git": check_git}
