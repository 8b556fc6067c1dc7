"""Which files are secret, and which runs read them."""

from collections.abc import Iterator
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Final

from ostiary.shield import bits
from ostiary.shield.reading import Run


class Secrecy(IntEnum):
    """How much harm it does when a file is read or sent."""

    NONE = 0
    PERSONAL = 1
    """Not secret on this machine; never to be sent: `/etc/passwd`, a whole home."""
    TOKEN = 2
    """Passwords and tokens of one project: `.env`."""
    KEY = 3
    """Opens other machines and accounts: private keys, cloud credentials, `/etc/shadow`."""


_KEY_FOLDERS: Final = frozenset({
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", "keyrings", "Keychains",
    "private_keys", ".gcloud", ".electrum", ".bitcoin", ".ethereum",
})  # fmt: skip
_KEY_NAMES: Final = frozenset({
    "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "identity",
    "shadow", "gshadow", "shadow-", "master.passwd", ".netrc", "_netrc", ".git-credentials",
    ".pgpass", ".my.cnf", ".vault-token", "application_default_credentials.json", "wallet.dat",
    "credentials.db", "access_tokens.db", "logins.json", "key4.db", "key3.db", "Login Data",
    "cookies.sqlite", "Cookies", "login.keychain-db", "login.keychain", "secring.gpg",
    "ssh_host_rsa_key", "ssh_host_ed25519_key", "ssh_host_ecdsa_key", "ssh_host_dsa_key",
    "krb5.keytab", "SAM", "NTDS.dit", "sudoers", "msal_token_cache.json", ".pypirc",
    "accessTokens.json", "azureProfile.json", ".boto", ".s3cfg", "rclone.conf", "hosts.yml",
    ".dockercfg", "kubeconfig", "admin.conf", "server.key", "privkey.pem", "kcore",
})  # fmt: skip
_HOLDERS: Final[dict[str, frozenset[str]]] = {
    "shadow": frozenset({"etc"}), "gshadow": frozenset({"etc"}), "shadow-": frozenset({"etc"}),
    "sudoers": frozenset({"etc"}), "master.passwd": frozenset({"etc"}),
    "identity": frozenset({".ssh"}), "hosts.yml": frozenset({"gh"}),
    "Cookies": frozenset({"Default", "Network"}), "admin.conf": frozenset({"kubernetes"}),
    "SAM": frozenset({"config"}), "kcore": frozenset({"proc"}),
}  # fmt: skip
"""Names that are secret only in a folder of one of these names."""
_KEY_ENDS: Final = (".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".keystore", ".kdbx",
                    ".keytab", ".agekey")  # fmt: skip
_TOKEN_NAMES: Final = frozenset({
    ".env", ".envrc", ".npmrc", ".htpasswd", "secrets.yml", "secrets.yaml", "secrets.json",
    "credentials.json", "service-account.json", "token.json", ".dockerconfigjson", "environ",
    "secrets.toml", "secrets.env", "wp-config.php", "terraform.tfvars", ".terraformrc",
    "terraform.tfstate", "master.key", ".bash_history", ".zsh_history", "credentials", ".history",
    ".mysql_history", ".psql_history",
})  # fmt: skip
_OPEN_ENDS: Final = (".pub", ".example", ".sample", ".template", ".dist", ".md", ".crt", ".cer",
                     ".csr", ".tpl", ".defaults", ".test")  # fmt: skip
_OPEN_NAMES: Final = frozenset({
    "known_hosts", "known_hosts.old", "config", "authorized_keys", "ca.pem", "cert.pem",
    "fullchain.pem", "chain.pem", "cacert.pem", "public.pem", "pubring.kbx", "pubring.gpg",
    "trustdb.gpg", "gpg.conf", "ca-bundle.pem", "ca-cert.pem", "pubkey.pem", "public_key.pem",
})  # fmt: skip
_PERSONAL: Final = frozenset({"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/sudoers.d"})
_CONFIGS: Final = (".kube/config", ".docker/config.json", ".aws/config", ".config/gcloud",
                   ".config/gh", ".claude/.credentials.json", ".codex/auth.json")  # fmt: skip
_HINTS: Final = (
    _KEY_FOLDERS | _KEY_NAMES | _TOKEN_NAMES
    | {part for path in _CONFIGS for part in path.split("/") if part not in {"config", ".config"}}
)  # fmt: skip
"""Parts of which one stands in every path that is secret, unless its ending tells."""
_LONGEST: Final = 4_096
"""Characters of a path that are looked at; Linux takes no longer one (PATH_MAX)."""


def secrecy(path: str) -> Secrecy:
    """Return how secret the file of a path is, by its names alone.

    Args:
        path: A path, as a command has it or resolved.
    """
    path = path[:_LONGEST].rstrip("/")
    parts = path.split("/")
    name = parts[-1]
    if _HINTS.isdisjoint(parts) and ".env" not in name and not name.endswith(_KEY_ENDS):
        return Secrecy.PERSONAL if path in _PERSONAL else Secrecy.NONE
    if name.endswith(_OPEN_ENDS):
        return Secrecy.NONE
    if path.endswith(_CONFIGS) or any(f"{one}/" in path for one in _CONFIGS):
        return Secrecy.KEY
    if name in _OPEN_NAMES:
        return Secrecy.NONE
    if not _KEY_FOLDERS.isdisjoint(parts) or (name in _KEY_NAMES and _is_held(name, parts)):
        return Secrecy.KEY
    return _light(path, name)


def _is_held(name: str, parts: list[str]) -> bool:
    """Return whether a name stands in a folder in which it is secret."""
    holders = _HOLDERS.get(name)
    return holders is None or not holders.isdisjoint(parts[-2:-1])


def _light(path: str, name: str) -> Secrecy:
    if name in _TOKEN_NAMES:
        return Secrecy.NONE if name == "environ" and "/proc/" not in path else Secrecy.TOKEN
    tokens = name.startswith(".env.") or name.endswith((*_KEY_ENDS, ".env"))
    return Secrecy.TOKEN if tokens and name[1:].strip(".") else Secrecy.NONE


_LURES: Final = ("/etc/shadow", "/etc/gshadow", "id_rsa", "id_ed25519", "id_ecdsa")
_LONGEST_PATTERN: Final = 64
"""Characters of a pattern that is compared with names; they are shorter."""
_FEWEST_LETTERS: Final = 3
"""Letters below which a pattern is for everything, not for secrets: `/*/*`, `i*`."""


def pattern_secrecy(pattern: str) -> Secrecy:
    """Return how secret the files are that a pattern can take: `/etc/sh*w`, `~/.ssh/*`."""
    if pattern.endswith(_OPEN_ENDS):
        return Secrecy.NONE
    if not _KEY_FOLDERS.isdisjoint(pattern[:_LONGEST].split("/")):
        return Secrecy.KEY
    name = pattern.rpartition("/")[2]
    for one in (pattern, name):
        known = len(one.replace("*", "").replace("?", "").strip("/"))
        tells = known >= _FEWEST_LETTERS and len(one) <= _LONGEST_PATTERN
        if tells and any(fnmatchcase(lure, one) for lure in _LURES):
            return Secrecy.KEY
    return Secrecy.TOKEN if name.startswith(".env") else Secrecy.NONE


def word_secrecy(word: str, mark: int) -> Secrecy:
    """Return how secret the file is that a word of a command names."""
    if "=" in word and not word.startswith("/"):
        word = word.partition("=")[2]  # `if=FILE`, `--file=FILE`, `name=@FILE`
    word = word.lstrip("@<")
    if mark & bits.GLOB:
        return max(secrecy(word), pattern_secrecy(word))
    return secrecy(word)


def secrets_read(run: Run) -> Iterator[tuple[str, Secrecy]]:
    """Yield the secret files that a run names as arguments or opens for reading."""
    marks = run.marks
    folder = "/." in run.cwd and not _KEY_FOLDERS.isdisjoint(run.cwd.split("/"))
    for index, word in enumerate(run.args):
        if folder or word in _KEY_NAMES or any(sign in word for sign in "/.*?"):
            mark = marks[index + 1] if index + 1 < len(marks) else 0
            found = word_secrecy(word, mark)
            if not found and (folder or word in _HOLDERS) and word[:1] not in {"-", "/"}:
                found = secrecy(f"{run.cwd}/{word}")
            if found:
                yield word, found
    for redirect in run.redirects:
        if redirect.op in {"<", "<>"}:
            found = word_secrecy(redirect.target, redirect.mark)
            if found:
                yield redirect.target, found
