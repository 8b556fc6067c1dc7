"""The machine itself: kernel, defences, power, processes, traces."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.verbs import Verb, checks, verb
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

DEFENCE: Final = Rule(
    "system.defence_off", "system.defence", _BLOCK,
    "Turns off a firewall, an access control, an audit or a protection of the system.",
    "Look at it: `ufw status`.",
)  # fmt: skip
KERNEL: Final = Rule(
    "system.kernel", "system.integrity", _WARN,
    "Loads or unloads kernel modules, or changes the kernel's settings.", "Look at them: `lsmod`.",
)  # fmt: skip
POWER: Final = Rule(
    "system.power", "denial_of_service", _WARN, "Stops or restarts the machine.",
    "See how long it has run: `uptime`.",
)  # fmt: skip
KILL: Final = Rule(
    "process.kill_all", "denial_of_service", _BLOCK,
    "Ends all processes, or those that the system needs.", "Look at them: `pgrep -fl server`.",
)  # fmt: skip
HISTORY: Final = Rule(
    "system.hide_history", "system.traces", _WARN,
    "Deletes or turns off the shell's history.", "Look at it: `history`.",
)  # fmt: skip
SERVICE: Final = Rule(
    "system.service", "persistence", _WARN,
    "Makes a service start by itself, or takes one away for good.",
    "Look at it: `systemctl status nginx`.",
)  # fmt: skip
RULES: Final = (DEFENCE, KERNEL, POWER, KILL, HISTORY, SERVICE)

_GUARDS: Final = (
    "ufw", "firewalld", "iptables", "ip6tables", "nftables", "apparmor", "auditd", "rsyslog", "pf",
    "syslog", "syslog-ng", "fail2ban", "selinux", "falcon-sensor", "crowdstrike", "clamav-daemon",
    "clamd", "osqueryd", "falco", "wazuh-agent", "sysmon", "mdatp", "systemd-journald", "cbdaemon",
    "cbagentd", "ossec", "samhain", "aide", "syslogd",
)  # fmt: skip
"""Services that guard a machine, or keep its record."""
_SYSTEM_PROCESSES: Final = frozenset({
    "systemd", "init", "sshd", "dockerd", "containerd", "Xorg", "gnome-shell", "launchd", "auditd",
    "rsyslogd", "dbus-daemon", "kubelet", "falcon-sensor", "WindowServer", "loginwindow",
})  # fmt: skip


def _service_verbs() -> Iterator[Verb]:
    for name in _GUARDS:
        for unit in (name, f"{name}.service"):
            for word in ("stop", "disable", "mask", "kill"):
                yield verb(DEFENCE, f"{word} {unit}", f"turns `{name}` off")


_TABLE: Final[Mapping[str, tuple[Verb, ...]]] = {
    "setenforce": (verb(DEFENCE, "0", "turns SELinux off"),
                   verb(DEFENCE, "Permissive", "turns SELinux off")),
    "ufw": (verb(DEFENCE, "disable", "turns the firewall off"),
            verb(DEFENCE, "reset", "forgets all rules of the firewall"),
            verb(DEFENCE, "logging off", "turns the firewall's log off"),
            verb(DEFENCE, "default allow", "lets everything in")),
    "nft": (verb(DEFENCE, "flush ruleset", "forgets all rules of the firewall"),),
    "firewall-cmd": (verb(DEFENCE, "", "opens the firewall", flags="--panic-off --set-default-zone",
                          action=_WARN),),
    "pfctl": (verb(DEFENCE, "", "turns the firewall off", flags="-d -F"),),
    "spctl": (verb(DEFENCE, "", "turns Gatekeeper off", flags="--master-disable --global-disable "
                   "--disable"),),
    "csrutil": (verb(DEFENCE, "disable", "turns the system's integrity protection off"),),
    "auditctl": (verb(DEFENCE, "", "turns the audit off", flags="-D -e -d"),),
    "aa-disable": (verb(DEFENCE, "", "turns access control off"),),
    "aa-teardown": (verb(DEFENCE, "", "turns access control off"),),
    "aa-complain": (verb(DEFENCE, "", "turns access control off", action=_WARN),),
    "tmutil": (verb(DEFENCE, "disable", "turns backups off", action=_WARN),
               verb(DEFENCE, "deletelocalsnapshots", "deletes backups", action=_WARN)),
    "esxcli": (verb(DEFENCE, "firewall set", "opens the firewall"),),
    "insmod rmmod kextload kextunload kldload kldunload": (
        verb(KERNEL, "", "changes what is loaded in the kernel"),),
    "service": tuple(verb(DEFENCE, f"{name} {word}", f"turns `{name}` off")
                     for name in _GUARDS for word in ("stop", "disable")),
    "chkconfig": tuple(verb(DEFENCE, f"{name} off", f"turns `{name}` off") for name in _GUARDS),
    "mdatp": (verb(DEFENCE, "config", "turns a protection off", flags="disabled"),),
    "xattr": (verb(DEFENCE, "com.apple.quarantine", "takes the mark of a download away",
                   flags="-d -c", action=_WARN),),
    "launchctl": (verb(DEFENCE, "unload", "stops a service of the system", action=_WARN),
                  verb(SERVICE, "load", "makes a service start by itself"),
                  verb(SERVICE, "bootstrap", "makes a service start by itself"),
                  verb(SERVICE, "submit", "makes a service start by itself")),
    "update-rc.d": (verb(SERVICE, "", "changes what starts by itself"),),
}  # fmt: skip
_SYSTEMCTL: Final = (
    *_service_verbs(),
    *(verb(POWER, word, "stops or restarts the machine, or its services")
      for word in ("poweroff", "halt", "reboot", "kexec", "emergency", "rescue", "suspend",
                   "hibernate", "hybrid-sleep")),
    verb(SERVICE, "mask", "takes a service away for good"),
)  # fmt: skip
_SYSTEMCTL_CHECK: Final = checks({"systemctl": _SYSTEMCTL})["systemctl"]


def check_iptables(scene: Scene) -> Iterator[Finding]:
    """Yield firewall rules that are forgotten as a whole."""
    args = scene.run.args
    flushes = any(word in {"-F", "--flush", "-X", "--delete-chain"} for word in args)
    opens = any(
        args[at] in {"-P", "--policy"} and args[at + 2 : at + 3] == ("ACCEPT",)
        for at in range(len(args))
    )
    if flushes or opens:
        weak = flushes and any(word in {"-X", "--delete-chain"} for word in args)
        yield DEFENCE.finding(scene.at, f"{scene.shown()} opens the firewall",
                              _WARN if weak else None)  # fmt: skip


def check_modprobe(scene: Scene) -> Iterator[Finding]:
    """Yield kernel modules that come or go."""
    looks = (
        "-n",
        "--dry-run",
        "--show-depends",
        "-D",
        "--resolve-alias",
        "-c",
        "--showconfig",
        "-V",
    )
    if scene.run.args and not any(word in looks for word in scene.run.args):
        yield KERNEL.finding(scene.at, f"{scene.shown()} changes what is loaded in the kernel")


def check_sysctl(scene: Scene) -> Iterator[Finding]:
    """Yield kernel settings that are changed."""
    for word in scene.run.args:
        if "=" in word and word[:1] != "-":
            strong = "randomize_va_space" in word or "core_pattern" in word
            yield KERNEL.finding(scene.at, f"{scene.shown()} sets `{shorten(word)}`",
                                 _BLOCK if strong else None)  # fmt: skip
            return


def check_power(scene: Scene) -> Iterator[Finding]:
    """Yield what stops or restarts the machine."""
    args, program = scene.run.args, scene.run.program
    if {"--help", "-c", "--show", "-w", "--wtmp-only", "-k", "--version"} & set(args):
        return
    if program in {"init", "telinit"} and args[:1] not in {("0",), ("6",), ("1",), ("S",)}:
        return
    yield POWER.finding(scene.at, f"{scene.shown()} stops or restarts the machine")


_EVERYBODY: Final = frozenset({".", ".*", "", "^", "*"})
"""Patterns of `pkill` that every name fits."""


def check_kill(scene: Scene) -> Iterator[Finding]:
    """Yield what ends all processes, or those of the system."""
    args, program = scene.run.args, scene.run.program
    words = [word for word in args if word[:1] != "-"]
    if program == "kill":
        yield from _kill_of_found(scene)
        if "-1" in args[1:]:
            yield KILL.finding(scene.at, f"{scene.shown()} ends all processes")
        elif words == ["1"] and "-0" not in args and "-l" not in args:
            yield KILL.finding(scene.at, f"{scene.shown()} signals the first process", _WARN)
    elif program == "killall5" or (program == "pkill" and not _EVERYBODY.isdisjoint(words)):
        yield KILL.finding(scene.at, f"{scene.shown()} ends all processes")
    elif _SYSTEM_PROCESSES & set(words):
        yield KILL.finding(scene.at, f"{scene.shown()} ends a process of the system")
    elif any(word in {"-u", "-U", "--user", "--euid", "-KILL,-u"} for word in args) and not (
        program == "pkill" and len(words) > 1
    ):
        yield KILL.finding(scene.at, f"{scene.shown()} ends all processes of a user", _WARN)


def _kill_of_found(scene: Scene) -> Iterator[Finding]:
    """Yield processes of the system that a search gives to `kill`: `kill $(pidof sshd)`."""
    for given in scene.feeds_all():
        words = {part for word in given.args if len(word) < 256 for part in _WORDS.findall(word)}  # noqa: PLR2004
        names = _SYSTEM_PROCESSES & words
        if names:
            yield KILL.finding(
                scene.at, f"{scene.shown()} ends `{min(names)}`, a process of the system"
            )
            return


_WORDS: Final = re.compile(r"[\w-]+")
_HISTORY_NAMES: Final = re.compile(
    r"(HISTFILE=(/dev/null)?|HISTSIZE=0|HISTFILESIZE=0|HISTIGNORE=.*\*.*|HISTFILESIZE=)"
)


def check_history(scene: Scene) -> Iterator[Finding]:
    """Yield what deletes or turns off the history."""
    args, program = scene.run.args, scene.run.program
    if program == "history":
        hit = any(word.startswith("-") and "c" in word[1:4] for word in args)
    elif program == "unset":
        hit = "HISTFILE" in args
    elif program == "set":
        hit = args[:2] == ("+o", "history")
    else:
        hit = any(len(word) < 200 and _HISTORY_NAMES.fullmatch(word) for word in args)  # noqa: PLR2004
    if hit:
        yield HISTORY.finding(scene.at, f"{scene.shown()} hides what was done")


_MACHINE: Final[Mapping[str, Check]] = {
    **dict.fromkeys(("iptables", "ip6tables", "iptables-legacy", "iptables-nft"), check_iptables),
    "modprobe": check_modprobe,
    "sysctl": check_sysctl,
    "systemctl": _SYSTEMCTL_CHECK,
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff", "init", "telinit"), check_power),
    **dict.fromkeys(("kill", "killall", "pkill", "killall5", "skill"), check_kill),
    **dict.fromkeys(("history", "unset", "export", "declare", "typeset", "set"), check_history),
}
CHECKS: Final[Mapping[str, Check]] = {**checks(_TABLE), **_MACHINE}
