"""Secrets that are read, and above all sent out."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import Run
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.secret_files import Secrecy, secrecy, secrets_read, word_secrecy
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

READ_KEY: Final = Rule(
    "secrets.read_key", "secrets.read", _BLOCK,
    "Reads private keys, cloud credentials, password files or browser stores.",
    "Use the key without reading it: `ssh-add -l`.",
)  # fmt: skip
READ_TOKEN: Final = Rule(
    "secrets.read_token", "secrets.read", _WARN,
    "Reads a file that holds passwords or tokens of a project.",
    "Read the names alone from the example: `cat .env.example`.",
)  # fmt: skip
DUMP: Final = Rule(
    "secrets.dump", "secrets.read", _BLOCK,
    "Takes keys or passwords out of a key store, a memory or a vault.",
    "Look at the names alone: `gpg --list-keys`.",
)  # fmt: skip
RULES: Final = (READ_KEY, READ_TOKEN, DUMP)

DO_NOT_READ: Final = frozenset({
    "ssh", "ssh-add", "ssh-keygen", "ssh-copy-id", "sshpass", "sshfs", "sftp", "mosh", "autossh",
    "chmod", "chown", "chgrp", "ls", "stat", "test", "[", "[[", "mkdir", "touch", "rmdir", "rm",
    "cd", "pushd", "echo", "printf", "git", "export", "realpath", "readlink", "basename", "dirname",
    "which", "type", "file", "du", "find", "ln", "tree", "gh", "kubectl", "helm", "docker",
    "podman",
    "docker-compose", "ansible", "ansible-playbook", "terraform", "openssl", "certbot", "shred",
    "unlink", "gpg", "aws", "gcloud", "az", "code", "set", "unset", "declare", "local", "source",
    ".", "dotenv", "direnv", "env", "node", "python", "python3", "eval", "nginx", "vagrant", "let",
    "read", "return", "exit", "shift", "alias", "wc", "md5sum", "sha256sum", "visudo", "tee",
    "useradd", "usermod", "adduser", "passwd", "rsync", "puttygen", "keytool", "step", "mkcert",
    "stunnel", "wg", "sops", "age", "ansible-vault", "setfacl", "getfacl", "chattr", "lsattr",
    "truncate", "man", "apropos", "locate", "fd", "tlp", "http", "dotnet", "cargo", "npm",
    "npx", "yarn", "pnpm", "make", "go", "php", "ruby", "java", "inotifywait", "entr", "watch",
    "nano", "vim", "vi", "trivy", "gitleaks", "openvpn", "mysql", "mongosh", "psql", "mc", "",
})  # fmt: skip
"""Programs that use keys, or look at a file from outside, or whose arguments are no files."""
_USE_KEYS_FOR: Final = frozenset({"scp", "rsync", "curl", "wget", "sftp", "httpie", "http", "xh"})
_KEEP_AT_HOME: Final = frozenset({"cp", "mv", "install"})
_SEARCHERS: Final = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk", "gawk"})
"""Programs whose first operand is a pattern."""
DUMPERS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "gpg": (("--export-secret-keys",), ("--export-secret-subkeys",), ("--export-secret-key",)),
    "gpg2": (("--export-secret-keys",), ("--export-secret-subkeys",)),
    "security": (("dump-keychain",), ("find-generic-password", "-w"), ("export",),
                 ("find-internet-password", "-w"), ("find-generic-password", "-wa"),
                 ("find-generic-password", "-g"), ("find-internet-password", "-g")),
    "unshadow": ((),), "mimipenguin": ((),), "lazagne": ((),), "LaZagne": ((),),
    "secretsdump.py": ((),), "john": ((),), "hashcat": ((),), "gcore": ((),), "procdump": ((),),
    "chntpw": ((),), "mimikatz": ((),), "pypykatz": ((),), "linpeas.sh": ((),), "keyctl": (),
    "kubectl": (("get", "secret", "-o"), ("get", "secrets", "-o"), ("config", "view", "--raw"),
                ("get", "secret", "-oyaml"), ("get", "secret", "-ojson"),
                ("get", "secrets", "-oyaml"), ("get", "secrets", "-ojson")),
    "secret-tool": (("search", "--all"),),
}  # fmt: skip
_TOKENDUMPERS: Final = frozenset(
    {"secretsdump.py", "chntpw", "kubectl", "secret-tool", "john", "hashcat"}
)


def check_reads(scene: Scene) -> Iterator[Finding]:
    """Yield the secret files that a run reads."""
    program = scene.run.program
    found = [] if scene.run.how & bits.OPENED else list(secrets_read(scene.run))
    found += secrets_found(scene)
    if not found:
        return
    if program in DO_NOT_READ or program in _USE_KEYS_FOR:
        opened = {redirect.target for redirect in scene.run.redirects}
        found = [one for one in found if one[0] in opened]
    elif program in _SEARCHERS:
        found = found[1:] if found and found[0][0] == _first_operand(scene.run) else found
    elif program in _KEEP_AT_HOME and len(scene.run.args) > 1:
        goal = scene.run.args[-1]
        found = [one for one in found if one[0] != goal]
        if word_secrecy(goal, 0) or ".ssh" in goal:
            return
    for word, how in found:
        if _is_used(scene.run, word):
            continue
        if how is Secrecy.KEY:
            yield READ_KEY.finding(
                scene.at, f"{scene.shown()} reads `{shorten(word)}`: keys or passwords"
            )
        elif how is Secrecy.TOKEN and program not in _KEEP_AT_HOME:
            yield READ_TOKEN.finding(
                scene.at, f"{scene.shown()} reads `{shorten(word)}`, which may hold secrets"
            )


_USE_FLAGS: Final = ("key", "cert", "ident", "cred", "-ks", "pem", "signer", "env-file", "-i",
                     "--rcfile", "netrc")  # fmt: skip


def _is_used(run: Run, word: str) -> bool:
    """Return whether a key follows a flag that says that it is to be used: `--key-file`."""
    at = run.args.index(word) if word in run.args else 0
    flag = run.args[at - 1] if at else ""
    if word[:1] == "-":
        flag = word.partition("=")[0]
    return (
        flag[:1] == "-"
        and any(part in flag for part in _USE_FLAGS)
        and (flag != "-i" or run.program not in _READERS)
    )


_READERS: Final = frozenset({
    "cat", "base64", "xxd", "od", "sed", "grep", "tac", "awk", "sort", "less", "more", "head",
    "tail", "strings", "hexdump", "nl", "cut", "diff",
})  # fmt: skip
"""Programs with a flag `-i` that names no key."""


def secrets_found(scene: Scene) -> list[tuple[str, Secrecy]]:
    """Return the secrets among the names that a search puts into a run."""
    run = scene.run
    for source in run.sources:
        if source.slot > 0 and scene.mark(source.slot - 1) & (bits.FOUND | bits.UNKNOWN):
            for given in scene.feeds(source.slot):
                if given.program in {"find", "ls", "locate", "fd"}:
                    words = ((word, secrecy(word)) for word in given.args)
                    return [one for one in words if one[1] and one[0][:1] != "-"]
    return []


def _first_operand(run: Run) -> str:
    return next((word for word in run.args if not word.startswith("-")), "")


def check_dump(scene: Scene) -> Iterator[Finding]:
    """Yield what takes keys or passwords out of a store."""
    args = scene.run.args
    for words in DUMPERS.get(scene.run.program, ()):
        if all(any(arg == word or arg.startswith(word + "=") for arg in args) for word in words):
            yield DUMP.finding(
                scene.at, f"{scene.shown()} takes secrets out of where they are kept",
                _WARN if scene.run.program in _TOKENDUMPERS else None,
            )  # fmt: skip
            return


_METADATA: Final = re.compile(
    r"(169\.254\.169\.254|metadata\.google\.internal|\[fd00:ec2::254\]|100\.100\.100\.200)/.{0,200}"
    r"(credential|token|identity|user-data|service-accounts)"
)
"""Where the machines of a cloud are told their keys."""


_LONGEST_ADDRESS: Final = 2_000


def check_metadata(scene: Scene) -> Iterator[Finding]:
    """Yield requests for the keys that a cloud gives to its machines."""
    for word in scene.run.args:
        if len(word) < _LONGEST_ADDRESS and _METADATA.search(word):
            yield DUMP.finding(scene.at, f"{scene.shown()} asks for the machine's cloud keys")
            return


def check_opened(scene: Scene) -> Iterator[Finding]:
    """Yield secrets that a redirection opens, where `check_reads` does not look by itself."""
    run = scene.run
    if not run.args or run.program in DO_NOT_READ:
        yield from check_reads(scene)


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(DUMPERS, check_dump),
    **dict.fromkeys(("curl", "wget", "http", "xh", "httpie"), check_metadata),
}


EVERY: Final[Check] = check_reads
"""Looks at every run that has arguments."""
EVERY_REDIRECT: Final[Check] = check_opened
"""Looks at every run that has redirections."""
