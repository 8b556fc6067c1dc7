"""Containers, clusters, clouds, forges: what deletes in masses or in public."""

from collections.abc import Iterator, Mapping
from typing import Final

from ostiary.shield import bits
from ostiary.shield.decision import SafetyAction
from ostiary.shield.rule import Finding, Rule
from ostiary.shield.rules.verbs import Verb, checks, verb
from ostiary.shield.scene import Check, Scene, shorten

_BLOCK, _WARN = SafetyAction.BLOCK, SafetyAction.WARN

CONTAINERS: Final = Rule(
    "containers.mass_delete", "destructive.containers", _BLOCK,
    "Deletes containers, images or volumes in masses.", "Look at them: `docker ps -a`.",
)  # fmt: skip
ESCAPE: Final = Rule(
    "containers.host_access", "privilege", _BLOCK,
    "Starts a container that can do to this machine what root can.",
    'Mount the workspace alone: `docker run -v "$PWD":/src alpine ls`.',
)  # fmt: skip
CLUSTER: Final = Rule(
    "cluster.delete", "destructive.cluster", _BLOCK,
    "Deletes namespaces, releases or all resources of a kind in a cluster.",
    "Look at them: `kubectl get all`.",
)  # fmt: skip
CLOUD: Final = Rule(
    "cloud.delete", "destructive.cloud", _BLOCK, "Deletes resources of a cloud, with their data.",
    "Look at them: `aws s3 ls`.",
)  # fmt: skip
INFRASTRUCTURE: Final = Rule(
    "infrastructure.destroy", "destructive.cloud", _BLOCK,
    "Destroys or changes infrastructure without a look at the plan.",
    "Look at the plan: `terraform plan`.",
)  # fmt: skip
FORGE: Final = Rule(
    "forge.delete", "destructive.forge", _BLOCK,
    "Deletes a repository, a release or its secrets at a forge.", "Look at it: `gh repo view`.",
)  # fmt: skip
PUBLISH: Final = Rule(
    "packages.publish", "publishing", _WARN, "Publishes a package, or takes one back.",
    "See what would go out: `npm pack --dry-run`.",
)  # fmt: skip
RULES: Final = (CONTAINERS, ESCAPE, CLUSTER, CLOUD, INFRASTRUCTURE, FORGE, PUBLISH)

_DOCKER: Final = (
    verb(CONTAINERS, "system prune", "deletes all that is not in use",
         flags="-a --all --volumes -af -fa"),
    verb(CONTAINERS, "volume prune", "deletes all volumes that are not in use"),
    verb(CONTAINERS, "image prune", "deletes all images that are not in use", flags="-a --all -af",
         action=_WARN),
    verb(CONTAINERS, "volume rm", "deletes a volume with its data", action=_WARN),
    verb(CONTAINERS, "compose down", "deletes the volumes too", flags="-v --volumes", action=_WARN),
    verb(CONTAINERS, "swarm leave", "takes the machine out of the swarm", flags="-f --force"),
)  # fmt: skip
_KUBECTL: Final = (
    *(verb(CLUSTER, f"delete {kind}", f"deletes the {what} with all in it") for kind, what in (
        ("namespace", "namespace"), ("namespaces", "namespaces"), ("ns", "namespace"),
        ("pv", "volume"), ("pvc", "volume"), ("persistentvolume", "volume"),
        ("persistentvolumeclaim", "volume"), ("crd", "resource kind"), ("node", "node"),
        ("nodes", "nodes"), ("customresourcedefinition", "resource kind"),
    )),
    verb(CLUSTER, "delete", "deletes all resources of a kind", flags="--all -A --all-namespaces",
         action=_WARN),
    verb(CLUSTER, "drain", "moves all that runs off a node", action=_WARN),
    verb(CLUSTER, "delete", "deletes resources at once", flags="--force --grace-period",
         action=_WARN),
)  # fmt: skip
_AWS: Final = (
    verb(CLOUD, "s3 rm", "deletes all objects below a name", flags="--recursive"),
    verb(CLOUD, "s3 rb", "deletes a bucket with all in it", flags="--force"),
    verb(CLOUD, "s3 rb", "deletes a bucket", action=_WARN),
    verb(CLOUD, "s3api delete-bucket", "deletes a bucket", action=_WARN),
    verb(CLOUD, "s3 sync", "deletes what is not in the source", flags="--delete", action=_WARN),
    *(verb(CLOUD, words, "deletes it with its data") for words in (
        "ec2 terminate-instances", "rds delete-db-instance", "rds delete-db-cluster",
        "dynamodb delete-table", "s3api delete-objects",
        "cloudformation delete-stack", "eks delete-cluster", "ecs delete-cluster",
        "efs delete-file-system", "kms schedule-key-deletion", "route53 delete-hosted-zone",
        "ec2 delete-volume", "ec2 delete-snapshot", "ec2 delete-vpc",
        "elasticache delete-cache-cluster",
        "redshift delete-cluster", "ecr delete-repository", "organizations delete-organization",
        "secretsmanager delete-secret", "backup delete-backup-vault", "rds delete-db-snapshot",
    )),
    *(verb(CLOUD, words, "turns the record of what is done off") for words in (
        "cloudtrail stop-logging", "cloudtrail delete-trail", "guardduty delete-detector",
        "logs delete-log-group",
    )),
    *(verb(CLOUD, words, "changes who may do what", action=_WARN) for words in (
        "iam delete-user", "iam delete-role", "iam create-access-key", "iam attach-user-policy",
        "iam create-user", "iam delete-policy", "iam put-user-policy", "lambda delete-function",
    )),
)  # fmt: skip
_GCLOUD: Final = (
    verb(CLOUD, "projects delete", "deletes a project with all in it"),
    verb(CLOUD, "instances delete", "deletes machines or databases with their data"),
    verb(CLOUD, "clusters delete", "deletes a cluster with all in it"),
    verb(CLOUD, "databases delete", "deletes a database"),
    verb(CLOUD, "buckets delete", "deletes buckets"),
    verb(CLOUD, "disks delete", "deletes disks with their data"),
    verb(CLOUD, "storage rm", "deletes all objects below a name", flags="-r --recursive"),
    verb(CLOUD, "delete", "deletes something of the cloud", action=_WARN),
)  # fmt: skip
_TABLE: Final[Mapping[str, tuple[Verb, ...]]] = {
    "docker podman": _DOCKER,
    "docker-compose": (verb(CONTAINERS, "down", "deletes the volumes too", flags="-v --volumes",
                            action=_WARN),),
    "kubectl oc k": _KUBECTL,
    "helm": (verb(CLUSTER, "uninstall", "deletes a release with what it made"),
             verb(CLUSTER, "delete", "deletes a release with what it made")),
    "aws": _AWS, "gcloud": _GCLOUD,
    "gsutil": (verb(CLOUD, "rm", "deletes all objects below a name", flags="-r -R -a"),
               verb(CLOUD, "rb", "deletes a bucket", action=_WARN)),
    "az": (verb(CLOUD, "group delete", "deletes a resource group with all in it"),
           verb(CLOUD, "delete", "deletes something of the cloud", action=_WARN)),
    "terraform tofu terragrunt": (
        verb(INFRASTRUCTURE, "destroy", "destroys the infrastructure"),
        verb(INFRASTRUCTURE, "apply", "destroys the infrastructure", flags="-destroy --destroy"),
        verb(INFRASTRUCTURE, "apply", "changes the infrastructure unseen",
             flags="-auto-approve --auto-approve", action=_WARN),
        verb(INFRASTRUCTURE, "state rm", "forgets resources", action=_WARN),
        verb(INFRASTRUCTURE, "run-all destroy", "destroys the infrastructure"),
        verb(INFRASTRUCTURE, "workspace delete", "forgets a state", action=_WARN)),
    "pulumi": (verb(INFRASTRUCTURE, "destroy", "destroys the infrastructure"),
               verb(INFRASTRUCTURE, "stack rm", "forgets a state", action=_WARN),
               verb(INFRASTRUCTURE, "up", "changes the infrastructure unseen", flags="-y --yes",
                    action=_WARN)),
    "cdk cdktf sls serverless": (verb(INFRASTRUCTURE, "destroy", "destroys the infrastructure"),
                                 verb(INFRASTRUCTURE, "remove", "destroys the infrastructure")),
    "ansible": (verb(INFRASTRUCTURE, "all", "runs on all machines", flags="-b --become",
                     action=_WARN),),
    "heroku": (verb(CLOUD, "apps:destroy", "deletes an application"),
               verb(CLOUD, "pg:reset", "drops the database"),
               verb(CLOUD, "addons:destroy", "deletes a service with its data")),
    "flyctl fly": (verb(CLOUD, "apps destroy", "deletes an application"),
                   verb(CLOUD, "volumes destroy", "deletes a volume"),
                   verb(CLOUD, "destroy", "deletes an application", action=_WARN)),
    "doctl": (verb(CLOUD, "delete", "deletes something of the cloud"),),
    "vercel netlify": (verb(CLOUD, "remove", "deletes a deployment", action=_WARN),
                       verb(CLOUD, "rm", "deletes a deployment", action=_WARN),
                       verb(CLOUD, "sites:delete", "deletes a site")),
    "firebase": (verb(CLOUD, "firestore:delete", "deletes data"),
                 verb(CLOUD, "projects:delete", "deletes a project"),
                 verb(CLOUD, "database:remove", "deletes data")),
    "rclone": (verb(CLOUD, "purge", "deletes a folder with all in it"),
               verb(CLOUD, "delete", "deletes files", action=_WARN)),
    "gh": (verb(FORGE, "repo delete", "deletes a repository"),
           verb(FORGE, "release delete", "deletes a release", action=_WARN),
           verb(FORGE, "secret delete", "deletes a secret", action=_WARN),
           verb(FORGE, "repo archive", "closes a repository", action=_WARN),
           verb(FORGE, "repo edit", "makes a repository public", flags="--visibility",
                action=_WARN)),
    "glab": (verb(FORGE, "repo delete", "deletes a repository"),
             verb(FORGE, "project delete", "deletes a repository")),
    "hub": (verb(FORGE, "delete", "deletes a repository"),),
    "npm pnpm yarn": (verb(PUBLISH, "unpublish", "takes a package back from everybody"),
                      verb(PUBLISH, "publish", "publishes a package"),
                      verb(PUBLISH, "deprecate", "tells everybody to stop", action=_WARN)),
    "cargo": (verb(PUBLISH, "publish", "publishes a package"),
              verb(PUBLISH, "yank", "takes a package back")),
    "twine": (verb(PUBLISH, "upload", "publishes a package"),),
    "gem": (verb(PUBLISH, "push", "publishes a package"),
            verb(PUBLISH, "yank", "takes a package back")),
    "poetry uv flit hatch": (verb(PUBLISH, "publish", "publishes a package"),),
    "vault": (verb(CLOUD, "secrets disable", "deletes a store of secrets"),
              verb(CLOUD, "kv destroy", "deletes secrets"),
              verb(CLOUD, "operator seal", "locks all secrets", action=_WARN)),
}  # fmt: skip
_VERBS: Final = checks(_TABLE)
_HOST_PATHS: Final = ("/:", "/etc:", "/root:", "/home:", "/var/run/docker.sock", "/proc:", "/sys:",
                      "/dev:", "/boot:", "/usr:", "/var:")  # fmt: skip


def check_docker(scene: Scene) -> Iterator[Finding]:
    """Yield what `docker` deletes in masses, and containers that are as good as the machine."""
    yield from _VERBS["docker"](scene)
    args = scene.run.args
    head = args[:3]
    if "rm" in head or "rmi" in head:
        forced = any(word in {"-f", "--force", "-fv", "-vf", "-v"} for word in args)
        many = any(scene.mark(arg) & (bits.UNKNOWN | bits.FOUND) for arg in range(len(args)))
        if many and scene.run.sources:
            says = f"{scene.shown()} deletes all that are listed"
            yield CONTAINERS.finding(scene.at, says, None if forced else _WARN)
    if "run" in head or "create" in head:
        yield from _host_access(scene)


def _host_access(scene: Scene) -> Iterator[Finding]:
    args = scene.run.args
    privileged = "--privileged" in args
    mounts = [word for word in args if _mounts_host(word)]
    root = any(word.partition("source=")[2].partition("src=")[2].startswith("/:") or
               word.startswith(("/:", "--volume=/:", "-v/:")) for word in mounts)  # fmt: skip
    if mounts and (privileged or root):
        yield ESCAPE.finding(
            scene.at, f"{scene.shown()} gives the container this machine: `{shorten(mounts[0])}`"
        )
    elif (
        mounts
        or privileged
        or any(word in {"--pid=host", "--cap-add=SYS_ADMIN", "--cap-add=ALL"} for word in args)
    ):
        yield ESCAPE.finding(scene.at, f"{scene.shown()} gives the container rights over this "
                             "machine", _WARN)  # fmt: skip


def _mounts_host(word: str) -> bool:
    word = word.removeprefix("--volume=").removeprefix("-v")
    return word.startswith(_HOST_PATHS) or "source=/," in word or "src=/," in word


CHECKS: Final[Mapping[str, Check]] = {**_VERBS, "docker": check_docker, "podman": check_docker}
