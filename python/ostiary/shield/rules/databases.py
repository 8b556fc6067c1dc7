"""Databases: drops, and deletes of everything in a table."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield.decision import SafetyAction
from ostiary.shield.grammar import grammar, read_flags
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.verbs import Verb, checks, verb
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN
_CATEGORY: Final = "destructive.database"
_COUNT: Final = "Look first: `psql -c 'select count(*) from orders'`."

DROP: Final = Rule(
    "database.drop", _CATEGORY, _BLOCK, "Drops a database, a schema or a table, or all data.",
    "Keep a copy first: `pg_dump -f backup.sql shop`.",
)  # fmt: skip
DELETE: Final = Rule(
    "database.delete_all", _CATEGORY, _BLOCK, "Empties a table: a delete without a condition.",
    _COUNT,
)  # fmt: skip
UPDATE: Final = Rule(
    "database.update_all", _CATEGORY, _WARN, "Changes all rows: an update without a condition.",
    _COUNT,
)  # fmt: skip
RESET: Final = Rule(
    "database.reset", _CATEGORY, _BLOCK, "Drops the database of a project to build it anew.",
    "See what is to be done: `prisma migrate status`.",
)  # fmt: skip
RULES: Final = (DROP, DELETE, UPDATE, RESET)

_LONGEST_SQL: Final = 50_000
"""Characters of SQL that are read."""
_DATA: Final = re.compile(r"--[^\n]*|/\*[^*]*\*/|'[^']*'|#[^\n]*")
"""Comments and texts in SQL: what stands in them does nothing."""
_DROPS: Final = re.compile(
    r"\bdrop\s+(database|schema|table|keyspace|tablespace|user|owned|role|materialized\s+view)\b",
    re.IGNORECASE,
)
_EMPTIES: Final = re.compile(r"^\s*truncate\b|\bdelete\s+from\s+\S", re.IGNORECASE)
_CHANGES: Final = re.compile(r"^\s*update\s+\S+\s+set\b", re.IGNORECASE)
_CONDITION: Final = re.compile(r"\bwhere\s+(?!1\s*=\s*1\b|true\b|1\s*$)|\blimit\b|\busing\b",
                               re.IGNORECASE)  # fmt: skip
_MONGO: Final = re.compile(
    r"\bdropDatabase\s*\(|\.drop\s*\(|\.(deleteMany|remove)\s*\(\s*(\{\s*\})?\s*\)"
)

_SQL_FLAGS: Final = grammar(
    "c=command e=execute",
    valued="command execute eval query U h p d u f D P H S host port dbname username user "
           "password database file Q q sql",
)  # fmt: skip
_PSQL: Final = frozenset({
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "clickhouse-client", "sqlcmd",
    "cockroach", "bq", "snowsql", "cqlsh", "influx", "mycli", "pgcli", "litecli", "sqlplus", "isql",
    "mssql-cli", "usql", "trino", "presto", "hive", "beeline", "spark-sql", "impala-shell",
    "wrangler",
    "turso", "clickhouse", "mysqlsh", "ysqlsh", "vsql", "sqlite-utils",
})  # fmt: skip


def _texts(scene: Scene) -> Iterator[str]:
    """Yield the texts that a run gives to a database."""
    run = scene.run
    options = read_flags(run.args, _SQL_FLAGS)
    for name, value, _ in options.values:
        if name in {"command", "execute", "eval", "query", "Q", "q", "sql"}:
            yield value
    for arg in options.operands:
        if " " in run.args[arg] or "(" in run.args[arg]:
            yield run.args[arg]
    if run.stdin is not None:
        yield run.stdin
    for given in scene.feeds(-1):
        if given.output is not None:
            yield given.output
            return


def check_sql(scene: Scene) -> Iterator[Finding]:
    """Yield what the SQL of a run drops or empties."""
    said: set[str] = set()
    for text in _texts(scene):
        if len(text) > _LONGEST_SQL:
            yield DROP.finding(scene.at, f"{scene.shown()} gives more SQL than is read", _WARN)
        for statement in _DATA.sub(" '' ", text[:_LONGEST_SQL]).split(";"):
            for finding in _judge_statement(scene, statement.strip()):
                if finding.rule.id not in said:
                    said.add(finding.rule.id)
                    yield finding


def _judge_statement(scene: Scene, statement: str) -> Iterator[Finding]:
    said = shorten(statement)
    if _DROPS.search(statement):
        yield DROP.finding(scene.at, f"{scene.shown()} drops data: `{said}`")
    elif _EMPTIES.search(statement) and not _CONDITION.search(statement):
        yield DELETE.finding(scene.at, f"{scene.shown()} empties a table: `{said}`")
    elif _CHANGES.search(statement) and not _CONDITION.search(statement):
        yield UPDATE.finding(scene.at, f"{scene.shown()} changes all rows: `{said}`")


def check_mongo(scene: Scene) -> Iterator[Finding]:
    """Yield what the script of a run drops in MongoDB."""
    for text in _texts(scene):
        if _MONGO.search(text[:_LONGEST_SQL]):
            yield DROP.finding(scene.at, f"{scene.shown()} drops data: `{shorten(text)}`")
            return


def check_redis(scene: Scene) -> Iterator[Finding]:
    """Yield what a run flushes in Redis."""
    words = {word.upper() for word in scene.run.args if len(word) < 16}  # noqa: PLR2004
    texts = " ".join(text[:200] for text in _texts(scene)).upper()
    if {"FLUSHALL", "FLUSHDB"} & words or "FLUSHALL" in texts or "FLUSHDB" in texts:
        yield DROP.finding(scene.at, f"{scene.shown()} deletes all data")
    elif "SHUTDOWN" in words or ("CONFIG" in words and "SET" in words):
        yield DROP.finding(scene.at, f"{scene.shown()} changes the server itself", _WARN)


def check_dropdb(scene: Scene) -> Iterator[Finding]:
    """Yield what `dropdb` drops."""
    if not {"--help", "--version", "-?", "-V"} & set(scene.run.args):
        yield DROP.finding(scene.at, f"{scene.shown()} drops a database")


_RAKE: Final = tuple(
    verb(RESET, task, "drops the project's database")
    for task in ("db:drop", "db:reset", "db:schema:load", "db:drop:all", "db:migrate:reset",
                 "db:purge", "db:truncate_all")
)  # fmt: skip
_TABLE: Final[Mapping[str, tuple[Verb, ...]]] = {
    "rails rake": _RAKE,
    "prisma": (verb(RESET, "migrate reset", "drops the project's database"),
               verb(RESET, "db push", "drops the project's database", flags="--force-reset")),
    "artisan": tuple(verb(RESET, task, "drops the project's database")
                     for task in ("migrate:fresh", "migrate:reset", "db:wipe", "migrate:refresh")),
    "php": (
        *(verb(RESET, f"artisan {task}", "drops the project's database")
          for task in ("migrate:fresh", "migrate:reset", "db:wipe", "migrate:refresh")),
        verb(RESET, "bin/console doctrine:database:drop", "drops the project's database"),
        verb(RESET, "bin/console doctrine:schema:drop", "drops the project's database")),
    "python python3 manage.py ./manage.py": (
        verb(RESET, "manage.py flush", "deletes all data of the project"),
        verb(RESET, "manage.py reset_db", "drops the project's database"),
        verb(RESET, "manage.py sqlflush", "prints what deletes all data", action=_WARN)),
    "django-admin": (verb(RESET, "flush", "deletes all data of the project"),
                     verb(RESET, "reset_db", "drops the project's database")),
    "npx bunx pnpm yarn npm": (
        verb(RESET, "prisma migrate reset", "drops the project's database"),
        verb(RESET, "prisma db push", "drops the project's database", flags="--force-reset"),
        verb(RESET, "sequelize db:drop", "drops the project's database"),
        verb(RESET, "sequelize-cli db:drop", "drops the project's database"),
        verb(RESET, "typeorm schema:drop", "drops the project's database"),
        verb(RESET, "supabase db reset", "drops the project's database")),
    "sequelize sequelize-cli": (verb(RESET, "db:drop", "drops the project's database"),),
    "typeorm": (verb(RESET, "schema:drop", "drops the project's database"),),
    "knex": (verb(RESET, "migrate:rollback", "undoes all migrations", flags="--all"),),
    "alembic flask": (verb(RESET, "downgrade base", "undoes all migrations"),),
    "supabase": (verb(RESET, "db reset", "drops the project's database"),),
    "mix": (verb(RESET, "ecto.drop", "drops the project's database"),
            verb(RESET, "ecto.reset", "drops the project's database")),
    "flyway": (verb(RESET, "clean", "drops all that is in the database"),),
    "liquibase": (verb(RESET, "dropAll", "drops all that is in the database"),
                  verb(RESET, "drop-all", "drops all that is in the database")),
    "mysqladmin mariadb-admin": (verb(DROP, "drop", "drops a database"),),
    "mongorestore": (verb(DROP, "", "drops what it restores over", flags="--drop",
                          action=_WARN),),
    "pg_restore": (verb(DROP, "", "drops what it restores over", flags="--clean -c",
                        action=_WARN),),
    "dotnet-ef": (verb(RESET, "database drop", "drops the project's database"),),
    "dotnet": (verb(RESET, "ef database drop", "drops the project's database"),),
    "wp": (verb(RESET, "db reset", "drops the project's database"),
           verb(RESET, "db drop", "drops the project's database"),
           verb(RESET, "site empty", "deletes all data of the project")),
    "dynamodb": (verb(DROP, "delete-table", "deletes a table"),),
}  # fmt: skip
_VERBS: Final = checks(_TABLE)

CHECKS: Final[Mapping[str, Check]] = {
    **_VERBS,
    **dict.fromkeys(_PSQL, check_sql),
    **dict.fromkeys(("mongo", "mongosh", "mongocli"), check_mongo),
    "redis-cli": check_redis, "valkey-cli": check_redis, "dropdb": check_dropdb,
    "dropuser": check_dropdb,
}  # fmt: skip
