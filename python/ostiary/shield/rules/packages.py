"""Packages from places that nobody vouches for."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.reading import UNKNOWN
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.scene import Check, Scene, shorten

_WARN: Final = SafetyAction.WARN

SOURCE: Final = Rule(
    "packages.unknown_source", "supply_chain", _WARN,
    "Installs a package from an address or an index that is not the usual one.",
    "Install it by name and version: `pip install requests==2.32.0`.",
)  # fmt: skip
RUN_ONCE: Final = Rule(
    "packages.run_unknown", "supply_chain", _WARN,
    "Downloads a package that is little known and runs it at once.",
    "Install it by name first and look at it: `npm install left-pad`.",
)  # fmt: skip
TRUST: Final = Rule(
    "packages.trust", "supply_chain", _WARN,
    "Makes the package manager trust another source, or skip its checks.",
    "Look at what is known already: `apt-cache policy curl`.",
)  # fmt: skip
LOCAL: Final = Rule(
    "packages.local_file", "supply_chain", _WARN,
    "Installs a package file into the system, past the package manager's checks.",
    "Install it by name: `apt install curl`.",
)  # fmt: skip
GLOBAL: Final = Rule(
    "packages.global", "supply_chain", _WARN,
    "Installs a package for the whole machine, not for the project.",
    "Install it for the project: `npm install --save-dev prettier`.",
)  # fmt: skip
RULES: Final = (GLOBAL, SOURCE, RUN_ONCE, TRUST, LOCAL)

_ADDRESSES: Final = ("http://", "https://", "git+", "git://", "ssh://", "ftp://", "git@", "svn+",
                     "hg+", "github:", "gitlab:", "bitbucket:", "gist:")  # fmt: skip
_INSTALLS: Final = frozenset({
    "install", "i", "add", "in", "tap", "tool", "global", "-U", "localinstall", "require",
    "reinstall", "upgrade", "download", "wheel",
})  # fmt: skip
_GLOBALS: Final = frozenset({"-g", "--global", "--break-system-packages", "--location=global"})
_INDEXES: Final = ("--index-url", "--extra-index-url", "--find-links", "--registry", "--source",
                   "--trusted-host", "--index", "--default-index", "--channel-url")  # fmt: skip
_SHORT_INDEXES: Final[Mapping[str, frozenset[str]]] = {
    "pip": frozenset({"-i", "-f"}), "pip3": frozenset({"-i", "-f"}), "gem": frozenset({"-s"}),
}  # fmt: skip
_KNOWN_INDEXES: Final = ("https://pypi.org/", "https://registry.npmjs.org", "https://rubygems.org",
                         "https://download.pytorch.org/", "https://registry.yarnpkg.com",
                         "http://localhost", "https://localhost", "http://127.")  # fmt: skip
_KNOWN_TOOLS: Final = frozenset({
    "tsc", "typescript", "ts-node", "tsx", "eslint", "prettier", "jest", "vitest", "mocha", "vite",
    "webpack", "next", "nuxt", "astro", "playwright", "cypress", "prisma", "rollup", "esbuild",
    "parcel", "turbo", "nx", "lerna", "husky", "lint-staged", "commitlint", "semantic-release",
    "changeset", "knex", "sequelize", "sequelize-cli", "typeorm", "drizzle-kit", "serve",
    "http-server", "nodemon", "pm2", "rimraf", "cross-env", "concurrently", "npm-check-updates",
    "ncu", "depcheck", "madge", "knip", "biome", "oxlint", "stylelint", "tailwindcss", "postcss",
    "sass", "storybook", "sb", "expo", "react-native", "ng", "vue", "svelte-kit", "gatsby", "hexo",
    "firebase", "vercel", "netlify", "wrangler", "supabase", "cdk", "serverless", "sls", "c8",
    "nyc", "ava", "tap", "karma", "pnpm", "yarn", "npm", "bun", "ruff", "black", "mypy", "pytest",
    "poetry", "tox", "nox", "flake8", "isort", "pre-commit", "cookiecutter", "httpie", "ansible",
    "yt-dlp", "mkdocs", "sphinx-build", "twine", "build", "hatch", "pdm", "uv", "pip-audit",
    "bandit", "pyright", "pylint", "jupyter", "ipython", "poe", "copier", "virtualenv", "pipenv",
    "create-react-app", "degit", "license-checker", "sort-package-json", "markdownlint",
    "jscodeshift",
    "tsup", "swc", "babel", "standard", "xo", "typedoc", "jsdoc", "openapi-typescript",
    "graphql-codegen",
    "lighthouse", "localtunnel", "json-server", "fkill", "update-browserslist-db", "shadcn",
    "shadcn-ui", "sv", "eas-cli", "cap", "hardhat", "truffle", "electron", "electron-builder",
})  # fmt: skip
"""Tools that everybody runs this way; the list says which names need no second look."""


def _addresses(scene: Scene) -> Iterator[str]:
    for word in scene.run.args:
        spec = word.partition("@ ")[2] or word
        address = spec.startswith(_ADDRESSES) and not spec.startswith(_KNOWN_INDEXES)
        if address or any(sign in word for sign in ("@git+", "@https://", "@git@")):
            yield word


def check_install(scene: Scene) -> Iterator[Finding]:
    """Yield packages that come from an address, and indexes that are not the usual ones."""
    args = scene.run.args
    if _INSTALLS.isdisjoint(args[:4]):
        return
    if not _GLOBALS.isdisjoint(args):
        yield GLOBAL.finding(scene.at, f"{scene.shown()} installs for the whole machine")
    for at, word in enumerate(args):
        name, _, value = word.partition("=")
        if name in _INDEXES or name in _SHORT_INDEXES.get(scene.run.program, ()):
            value = value or (args[at + 1] if at + 1 < len(args) else "")
            if not value.startswith((*_KNOWN_INDEXES, ".", "/")) or name == "--trusted-host":
                yield SOURCE.finding(
                    scene.at, f"{scene.shown()} installs from the index `{shorten(value)}`"
                )
                return
    for word in _addresses(scene):
        yield SOURCE.finding(scene.at, f"{scene.shown()} installs from `{shorten(word)}`")
        return


def check_module(scene: Scene) -> Iterator[Finding]:
    """Yield packages that `python -m pip` installs."""
    if scene.run.args[:2] in {("-m", "pip"), ("-m", "uv")}:
        yield from check_install(scene)


def check_cargo(scene: Scene) -> Iterator[Finding]:
    """Yield crates that come from a repository."""
    args = scene.run.args
    if args[:1] == ("install",) and any(word.startswith("--git") for word in args):
        yield SOURCE.finding(scene.at, f"{scene.shown()} installs from a repository")


def check_run_once(scene: Scene) -> Iterator[Finding]:
    """Yield packages that `npx` and its like download and run at once."""
    args, program = scene.run.args, scene.run.program
    at = 0
    if program in {"npm", "pnpm", "yarn", "pipx", "bun", "uv"}:
        heads = {"exec", "x", "dlx", "run"} if program == "pipx" else {"exec", "x", "dlx"}
        if program == "uv":
            heads = {"tool"}
        if not args or args[0] not in heads or (program == "uv" and args[1:2] != ("run",)):
            yield from check_install(scene)
            return
        at = 2 if program == "uv" else 1
    name = _package(args, at)
    if not name or name in {"--version", "--help"} or UNKNOWN in name:
        return
    if not _is_known(name):
        yield RUN_ONCE.finding(
            scene.at, f"{scene.shown()} downloads `{shorten(name)}` and runs it at once"
        )


def _package(args: tuple[str, ...], at: int) -> str:
    """Return the package that is run, past the flags."""
    while at < len(args):
        word = args[at]
        if word in {"-p", "--package", "--from", "--spec", "--with", "-c", "--call"}:
            return args[at + 1] if at + 1 < len(args) else ""
        if word.startswith("--package="):
            return word[10:]
        if word[:1] != "-":
            return word
        if word in {"--no-install", "--no", "--offline"}:
            return ""
        at += 1
    return ""


def _is_known(name: str) -> bool:
    if name.startswith(("./", "../", "/")):
        return True
    if name.startswith("@"):
        scope = name[1:].partition("/")[0]
        return scope in _KNOWN_SCOPES
    bare = name.partition("@")[0].partition("==")[0].partition("[")[0]
    return bare in _KNOWN_TOOLS or bare.startswith(("create-", "eslint-", "jest-"))


_KNOWN_SCOPES: Final = frozenset({
    "angular", "vue", "babel", "nestjs", "storybook", "playwright", "biomejs", "changesets",
    "sveltejs", "tailwindcss", "typescript-eslint", "openapitools", "modelcontextprotocol",
    "anthropic-ai", "openai", "google", "microsoft", "aws-amplify", "aws-cdk", "redocly",
    "capacitor", "ionic", "expo", "react-native-community", "commitlint", "sentry", "nuxt",
    "astrojs",
    "remix-run", "vercel", "cloudflare", "prisma", "graphql-codegen", "swc", "arethetypeswrong",
})  # fmt: skip


def check_apt(scene: Scene) -> Iterator[Finding]:
    """Yield package files and skipped checks of the system's package manager."""
    args = scene.run.args
    skips = any(
        word in {"--allow-unauthenticated", "--nogpgcheck", "--no-gpg-checks", "--allow-untrusted",
                 "--nosignature", "--force-all", "--dangerous", "--no-check-gpg"} for word in args
    )  # fmt: skip
    if skips:
        yield TRUST.finding(scene.at, f"{scene.shown()} skips the checks of the packages")
        return
    if _INSTALLS.isdisjoint(args[:4]):
        return
    for word in args:
        if word.endswith((".deb", ".rpm", ".apk")) or word.startswith(_ADDRESSES):
            yield LOCAL.finding(scene.at, f"{scene.shown()} installs the file `{shorten(word)}`")
            return


def check_dpkg(scene: Scene) -> Iterator[Finding]:
    """Yield package files that are installed past the package manager."""
    args = scene.run.args
    forced = any(word.startswith("--force") for word in args)
    installs = any(
        word in {"--install", "--upgrade", "--unpack"} or
        (word[:1] == "-" and word[1:2] in {"i", "U", "F"} and word[:2] != "--")
        for word in args
    )  # fmt: skip
    files = [word for word in args if word[:1] != "-" and word != "/"]
    if (installs and files) or forced:
        yield LOCAL.finding(scene.at, f"{scene.shown()} installs a file into the system")


def check_trust(scene: Scene) -> Iterator[Finding]:
    """Yield sources that the package manager is told to trust."""
    args, program = scene.run.args, scene.run.program
    if program == "apt-key" and not {"add", "adv"} & set(args[:2]):
        return
    if program == "add-apt-repository" and ({"--remove", "-r", "--list", "-h"} & set(args)):
        return
    if args:
        yield TRUST.finding(scene.at, f"{scene.shown()} makes it trust another source")


CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(
        ("pip", "pip3", "pipenv", "poetry", "gem", "brew", "conda", "mamba", "easy_install",
         "composer", "luarocks", "flatpak", "opkg"),
        check_install,
    ),
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "npx", "bunx", "uvx", "pipx", "bun", "uv"), check_run_once
    ),
    **dict.fromkeys(
        ("apt", "apt-get", "yum", "dnf", "zypper", "apk", "snap", "aptitude", "pacman"), check_apt
    ),
    "python": check_module, "python3": check_module,
    "dpkg": check_dpkg, "rpm": check_dpkg, "installer": check_dpkg,
    "add-apt-repository": check_trust, "apt-key": check_trust, "cargo": check_cargo,
}  # fmt: skip
