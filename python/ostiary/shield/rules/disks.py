"""Disks, filesystems and the devices under them."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import read_flags
from ostiary.shield.places import Place
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.written_files import WRITERS, written
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_CATEGORY: Final = "destructive.disk"
_LOOK: Final = "Look at the disks: `lsblk`."

FORMAT: Final = Rule(
    "disk.format", _CATEGORY, _BLOCK, "Makes a new filesystem over what is on a device.", _LOOK
)
PARTITION: Final = Rule(
    "disk.partition", _CATEGORY, _BLOCK, "Changes or erases partitions and volumes.", _LOOK
)
DEVICE: Final = Rule(
    "disk.write_device", _CATEGORY, _BLOCK, "Writes to a device, under its filesystem.", _LOOK
)
MOUNT: Final = Rule(
    "disk.mount", _CATEGORY, _WARN, "Takes filesystems or swap away, or puts one over another.",
    "Look at what is mounted: `findmnt`.",
)  # fmt: skip
RULES: Final = (FORMAT, PARTITION, DEVICE, MOUNT)

_FORMATTERS: Final = frozenset({
    "mkfs", "mke2fs", "mkswap", "mkdosfs", "mkntfs", "newfs", "newfs_apfs", "newfs_hfs", "format",
    "mkexfatfs", "bcachefs", "cryptsetup", "luksformat",
})  # fmt: skip
_MAKERS: Final = frozenset({f"mkfs.{kind}" for kind in (
    "ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "fat", "msdos", "ntfs", "exfat", "f2fs",
    "cramfs", "minix", "bfs", "jfs", "reiserfs", "erofs", "udf", "nilfs2", "gfs2", "ocfs2",
)})  # fmt: skip
_ERASERS: Final = frozenset({
    "wipefs", "blkdiscard", "sgdisk", "sfdisk", "gdisk", "cgdisk", "fdisk", "cfdisk", "parted",
    "pvremove", "vgremove", "lvremove", "zpool", "zfs", "mdadm", "hdparm", "nvme", "badblocks",
    "diskutil", "dmsetup", "sg_format", "testdisk", "partx", "dcfldd",
})  # fmt: skip
_HARMLESS: Final[Mapping[str, frozenset[str]]] = {
    "fdisk": frozenset({"-l", "--list", "-s", "--getsz", "-x", "-V", "--help", "-h"}),
    "sfdisk": frozenset({"-l", "--list", "-d", "--dump", "-F", "--list-free", "-V", "--verify",
                         "-J", "--json", "-s", "--show-size", "-n"}),
    "sgdisk": frozenset({"-p", "--print", "-i", "-v", "--verify", "-b", "--backup"}),
    "gdisk": frozenset({"-l"}),
    "parted": frozenset({"print", "-l", "--list", "unit", "help"}),
}  # fmt: skip
"""Arguments with which such a program only looks."""
_PARTED_LOSES: Final = frozenset({"rm", "mklabel", "mktable", "mkpart", "resizepart", "rescue"})
_HARMFUL: Final[Mapping[str, frozenset[str]]] = {
    "wipefs": frozenset({"-a", "--all", "-o", "--offset", "-af", "-fa"}),
    "zpool": frozenset({"destroy", "labelclear"}),
    "zfs": frozenset({"destroy", "rollback"}),
    "mdadm": frozenset({"--zero-superblock", "--create", "-C"}),
    "hdparm": frozenset({"--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"}),
    "nvme": frozenset({"format", "sanitize"}),
    "badblocks": frozenset({"-w", "-wsv", "-svw", "-ws"}),
    "diskutil": frozenset({
        "eraseDisk", "eraseVolume", "partitionDisk", "secureErase", "zeroDisk", "randomDisk",
        "reformat", "apfs", "eraseOptical", "splitPartition",
    }),
    "cryptsetup": frozenset({"luksFormat", "erase", "luksErase", "luksKillSlot", "reencrypt"}),
    "bcachefs": frozenset({"format"}),
    "dmsetup": frozenset({"remove", "remove_all", "wipe_table"}),
    "testdisk": frozenset(),
    "partx": frozenset({"-d", "--delete"}),
    "format": frozenset({"c:", "C:", "d:", "D:"}),
}  # fmt: skip
"""Arguments without which such a program does no harm."""


def check_formatter(scene: Scene) -> Iterator[Finding]:
    """Yield what a program that makes filesystems would overwrite; an image file may be one."""
    program, args = scene.run.program, scene.run.args
    harmful = _HARMFUL.get(program)
    if harmful is not None and harmful.isdisjoint(args):
        return
    targets = [scene.target(arg) for arg in read_flags(args).operands]
    devices = [target for target in targets if target.place is Place.DEVICE]
    if devices:
        name = shorten(devices[0].word)
        yield FORMAT.finding(scene.at, f"{scene.shown()} makes a new filesystem over `{name}`")
    elif any(target.place in {Place.UNKNOWN, Place.SYSTEM, Place.ROOT} for target in targets):
        yield FORMAT.finding(
            scene.at, f"{scene.shown()} makes a new filesystem on what is not known", _WARN
        )
    elif harmful is not None:
        yield FORMAT.finding(scene.at, f"{scene.shown()} formats a disk", _WARN)


def check_eraser(scene: Scene) -> Iterator[Finding]:
    """Yield what a program that changes partitions or volumes would do, unless it only looks."""
    program, args = scene.run.program, scene.run.args
    harmful = _HARMFUL.get(program)
    if harmful is not None:
        if not harmful.isdisjoint(args):
            yield PARTITION.finding(scene.at, f"{scene.shown()} erases a disk or a volume")
        return
    if not _HARMLESS.get(program, frozenset()).isdisjoint(args):
        return
    targets = [scene.target(arg) for arg in read_flags(args).operands]
    if any(target.place in {Place.DEVICE, Place.UNKNOWN} for target in targets) or (
        program in {"pvremove", "vgremove", "lvremove"} and targets
    ):
        weak = program == "parted" and _PARTED_LOSES.isdisjoint(args)
        yield PARTITION.finding(
            scene.at,
            f"{scene.shown()} changes the partitions of a disk",
            _WARN if weak else None,
        )


def check_device_writes(scene: Scene) -> Iterator[Finding]:
    """Yield the devices that a run writes to."""
    for target, _ in written(scene):
        if target.place is Place.DEVICE:
            word = shorten(target.word)
            yield DEVICE.finding(
                scene.at, f"{scene.shown()} writes over the device `{word}`",
                None if _is_disk(target.path or "") else _WARN,
            )  # fmt: skip


def check_device_arguments(scene: Scene) -> Iterator[Finding]:
    """Yield the devices that a program destroys which takes files, such as `shred`."""
    for arg in read_flags(scene.run.args).operands:
        target = scene.target(arg)
        if target.place is Place.DEVICE:
            word = shorten(target.word)
            yield DEVICE.finding(scene.at, f"{scene.shown()} destroys the device `{word}`")


def _is_disk(path: str) -> bool:
    name = path[5:]
    return name.startswith((
        "sd", "hd", "nvme", "vd", "xvd", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper", "loop",
        "mem", "kmem", "port", "sr", "zvol", "nbd", "ram", "block", "by-",
    ))  # fmt: skip


def check_mount(scene: Scene) -> Iterator[Finding]:
    """Yield what takes filesystems or swap away for everybody."""
    program, args = scene.run.program, scene.run.args
    if "-a" in args or "--all" in args:
        if program != "mount":
            yield MOUNT.finding(scene.at, f"{scene.shown()} takes them all away")
    elif program == "mount" and any("bind" in word for word in args):
        goal = scene.target(len(args) - 1)
        if goal.place in {Place.SYSTEM, Place.ROOT, Place.HOME}:
            yield MOUNT.finding(scene.at, f"{scene.shown()} puts a folder over another one")
    elif program == "mount" and any("remount" in word and "rw" in word for word in args):
        yield MOUNT.finding(scene.at, f"{scene.shown()} lets a filesystem be written to")


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(_FORMATTERS | _MAKERS, check_formatter),
    **dict.fromkeys(_ERASERS, check_eraser),
    **dict.fromkeys(WRITERS, check_device_writes),
    **dict.fromkeys(("shred", "rm", "unlink", "truncate", "wipe"), check_device_arguments),
    **dict.fromkeys(("swapoff", "umount", "mount"), check_mount),
}
EVERY_REDIRECT: Final[Check] = check_device_writes
"""Looks at runs that have redirections and are not among `CHECKS`."""
