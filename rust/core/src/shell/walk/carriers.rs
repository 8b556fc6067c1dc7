//! Programs that run the program after them: `sudo`, `env`, `timeout` and their like.

use std::sync::Arc;

use crate::shell::field::Field;
use crate::shell::run::base_name;
use crate::shell::walk::simple::Call;

/// What was stripped from a command.
#[derive(Default)]
pub(in crate::shell) struct Carried {
    pub(in crate::shell) via: Vec<Arc<str>>,
    /// `env -S CODE`.
    pub(in crate::shell) code: Option<Field>,
    /// `env -C DIR`, `sudo -D DIR`.
    pub(in crate::shell) cwd: Option<String>,
}

impl Carried {
    pub(in crate::shell) fn is_plain(&self) -> bool {
        self.via.is_empty() && self.code.is_none()
    }
}

/// A carrier: its name, its options that take a word, its operands before the program.
struct Carrier(&'static str, &'static [&'static str], usize);

const CARRIERS: &[Carrier] = &[
    Carrier(
        "sudo",
        &[
            "-u",
            "-g",
            "-h",
            "-p",
            "-C",
            "-T",
            "-r",
            "-t",
            "-U",
            "-D",
            "-R",
            "--user",
            "--group",
            "--host",
            "--prompt",
            "--chdir",
            "--chroot",
            "--role",
            "--type",
            "--other-user",
            "--close-from",
            "--command-timeout",
        ],
        0,
    ),
    Carrier("doas", &["-u", "-C", "-a"], 0),
    Carrier("env", &["-u", "-C", "-S", "--unset", "--chdir", "--split-string", "-P"], 0),
    Carrier("nohup", &[], 0),
    Carrier("setsid", &[], 0),
    Carrier("nice", &["-n", "--adjustment"], 0),
    Carrier("ionice", &["-c", "-n", "-p", "-P", "-u", "--class", "--classdata", "--pid"], 0),
    Carrier("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    Carrier("gtimeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    Carrier("stdbuf", &["-i", "-o", "-e", "--input", "--output", "--error"], 0),
    Carrier("time", &["-f", "-o", "--format", "--output"], 0),
    Carrier("command", &[], 0),
    Carrier("builtin", &[], 0),
    Carrier("exec", &["-a"], 0),
    Carrier("busybox", &[], 0),
    Carrier("toybox", &[], 0),
    Carrier("chroot", &["--userspec", "--groups"], 1),
    Carrier("unshare", &["-R", "-w", "-S", "-G", "--root", "--wd", "--setuid", "--setgid"], 0),
    Carrier("nsenter", &["-t", "-S", "-G", "--target", "--setuid", "--setgid"], 0),
    Carrier(
        "strace",
        &["-o", "-e", "-p", "-s", "-u", "-E", "-P", "-a", "-b", "-I", "-O", "-S", "-X"],
        0,
    ),
    Carrier("ltrace", &["-o", "-e", "-p", "-s", "-u", "-a", "-l", "-n", "-x"], 0),
    Carrier("xvfb-run", &["-n", "-s", "-e", "-f", "-p", "-w", "--server-args", "--server-num"], 0),
    Carrier("caffeinate", &["-t", "-w"], 0),
    Carrier("chrt", &["-p", "-T", "-P", "-D"], 1),
    Carrier("taskset", &["-p"], 1),
    Carrier("cpulimit", &["-l", "-p", "-e", "--limit"], 0),
    Carrier(
        "systemd-run",
        &[
            "-p",
            "-u",
            "-E",
            "-t",
            "-M",
            "-H",
            "--unit",
            "--property",
            "--uid",
            "--gid",
            "--setenv",
            "--slice",
            "--description",
            "--on-active",
            "--on-calendar",
            "--working-directory",
        ],
        0,
    ),
    Carrier("systemd-inhibit", &[], 0),
    Carrier("fakeroot", &["-s", "-i", "-l", "-b"], 0),
    Carrier("proxychains", &["-f"], 0),
    Carrier("proxychains4", &["-f"], 0),
    Carrier("torsocks", &[], 0),
    Carrier("torify", &[], 0),
    Carrier("tsocks", &[], 0),
    Carrier("unbuffer", &[], 0),
    Carrier("catchsegv", &[], 0),
    Carrier("valgrind", &[], 0),
    Carrier("rlwrap", &["-f", "-H", "-C", "-p", "-z"], 0),
    Carrier("pkexec", &["--user"], 0),
    Carrier("gosu", &[], 1),
    Carrier("flock", &["-w", "-E", "--timeout", "--wait", "--conflict-exit-code"], 1),
    Carrier("runuser", &["-u", "-g", "-G", "--user", "--group", "--supp-group"], 0),
    Carrier("su-exec", &[], 1),
    Carrier("setpriv", &["--reuid", "--regid", "--groups", "--inh-caps"], 0),
    Carrier("dbus-run-session", &[], 0),
    Carrier("dbus-launch", &[], 0),
    Carrier("firejail", &[], 0),
    Carrier("noglob", &[], 0),
    Carrier("nocorrect", &[], 0),
    Carrier("coproc", &[], 0),
    Carrier("eatmydata", &[], 0),
    Carrier("linux32", &[], 0),
    Carrier("linux64", &[], 0),
    Carrier("setarch", &[], 1),
    Carrier("numactl", &["-i", "-m", "-N", "-C", "-l", "-p"], 0),
    Carrier("prlimit", &["-p"], 0),
    Carrier("chronic", &[], 0),
    Carrier("ifne", &[], 0),
    Carrier("sem", &["-j", "--id"], 0),
    Carrier("run-one", &[], 0),
    Carrier("trickle", &["-u", "-d"], 0),
    Carrier("ld-linux-x86-64.so.2", &["--library-path"], 0),
    Carrier("ld-linux-aarch64.so.1", &["--library-path"], 0),
    Carrier("ld-musl-x86_64.so.1", &["--library-path"], 0),
];

/// Carriers of two words: `uv run`, `bundle exec` …
const PAIRS: &[(&str, &str, &[&str], usize)] = &[
    (
        "uv",
        "run",
        &["-p", "--python", "--with", "--extra", "--group", "--env-file", "--directory"],
        0,
    ),
    ("poetry", "run", &["-C", "--directory"], 0),
    ("pipenv", "run", &[], 0),
    ("pdm", "run", &[], 0),
    ("hatch", "run", &[], 0),
    ("conda", "run", &["-n", "-p", "--name", "--prefix", "--cwd"], 0),
    ("bundle", "exec", &[], 0),
    ("mise", "exec", &[], 0),
    ("asdf", "exec", &[], 0),
    ("direnv", "exec", &[], 1),
    ("nix", "develop", &["-c", "--command"], 0),
    ("dotenv", "run", &["-f"], 0),
    ("doppler", "run", &[], 0),
    ("op", "run", &["--env-file"], 0),
    ("aws-vault", "exec", &[], 1),
];

/// Programs that run a program in a container or on another machine: words that lead there, options
/// that take a word, operands before the program.
const REMOTES: &[(&[&str], &[&str], usize)] = &[
    (&["docker", "exec"], CONTAINER, 1),
    (&["docker", "run"], CONTAINER, 1),
    (&["docker", "container", "exec"], CONTAINER, 1),
    (&["docker", "container", "run"], CONTAINER, 1),
    (&["docker", "compose", "exec"], CONTAINER, 1),
    (&["docker", "compose", "run"], CONTAINER, 1),
    (&["docker-compose", "exec"], CONTAINER, 1),
    (&["docker-compose", "run"], CONTAINER, 1),
    (&["podman", "exec"], CONTAINER, 1),
    (&["podman", "run"], CONTAINER, 1),
    (&["nerdctl", "exec"], CONTAINER, 1),
    (&["nerdctl", "run"], CONTAINER, 1),
    (&["kubectl", "exec"], &["-n", "-c", "--namespace", "--container", "-f", "--context"], 1),
    (&["oc", "exec"], &["-n", "-c", "--namespace", "--container"], 1),
    (&["lxc", "exec"], &["--env", "--user", "--cwd"], 1),
    (&["lxc-attach"], &["-n", "--name"], 0),
    (&["multipass", "exec"], &["-d"], 1),
    (&["wsl"], &["-d", "-u", "--distribution", "--user", "--cd"], 0),
];

const CONTAINER: &[&str] = &[
    "-v",
    "--volume",
    "-e",
    "--env",
    "-p",
    "--publish",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "--mount",
    "-l",
    "--label",
    "--env-file",
    "-m",
    "--memory",
    "--cpus",
    "--gpus",
    "--platform",
    "--add-host",
    "-h",
    "--hostname",
    "--device",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--ulimit",
    "--shm-size",
    "--restart",
    "--pid",
    "--ipc",
    "--index",
    "--tmpfs",
    "--volumes-from",
    "--log-driver",
    "--log-opt",
    "--dns",
    "--pull",
    "--ip",
    "-f",
    "--file",
    "--project-name",
    "--profile",
    "--detach-keys",
];

/// Strips every carrier in front of a program.
pub(in crate::shell) fn strip(call: &mut Call) -> Carried {
    let mut carried = Carried::default();
    let mut start = 0;
    while let Some(program) = call.words.get(start) {
        let name = base_name(&program.text);
        let rest = call.words.get(start + 1..).unwrap_or_default();
        let mut inner = Vec::new();
        let mut found = Carried::default();
        let Some(skipped) = skip(name, rest, &mut inner, &mut found) else { break };
        let is_end = skipped >= rest.len() && found.code.is_none();
        if is_end {
            break; // nothing follows: the carrier itself is what runs
        }
        carried.via.push(Arc::from(name));
        call.env.extend(inner);
        carried.cwd = found.cwd.or(carried.cwd);
        start += 1 + skipped;
        if found.code.is_some() {
            carried.code = found.code;
            break;
        }
    }
    call.words.drain(..start);
    carried
}

/// Words after a carrier's name that belong to it; None if it is no carrier.
fn skip(
    name: &str,
    rest: &[Field],
    env: &mut Vec<(String, Field)>,
    found: &mut Carried,
) -> Option<usize> {
    if let Some(Carrier(_, options, operands)) =
        CARRIERS.iter().find(|Carrier(carrier, ..)| *carrier == name)
    {
        let has = |options: &[&str]| rest.iter().any(|word| options.contains(&word.text.as_str()));
        let first = rest.first().map_or("", |word| word.text.as_str());
        let carries = match name {
            "command" => !matches!(first, "-v" | "-V"), // asks where a program is
            "sudo" => !matches!(first, "-e" | "--edit"),
            "flock" => !has(&["-c", "--command"]), // that is code
            "runuser" => has(&["-u", "--user"]),
            _ => true,
        };
        if !carries {
            return None;
        }
        return Some(skip_options(name, rest, options, *operands, env, found));
    }
    let second = rest.first()?.text.as_str();
    if let Some((_, _, options, operands)) =
        PAIRS.iter().find(|(first, then, ..)| *first == name && *then == second)
    {
        let after = rest.get(1..).unwrap_or_default();
        return Some(1 + skip_options(name, after, options, *operands, env, found));
    }
    None
}

/// Where the program starts that a container or another machine runs; None if none does.
pub(in crate::shell) fn remote_program(words: &[Field]) -> Option<usize> {
    let name = base_name(&words.first()?.text);
    let rest = words.get(1..)?;
    let (path, options, operands) = REMOTES.iter().find(|(path, ..)| {
        path.first() == Some(&name)
            && path
                .get(1..)
                .unwrap_or_default()
                .iter()
                .enumerate()
                .all(|(at, word)| rest.get(at).is_some_and(|field| field.text == *word))
    })?;
    let after = words.get(path.len()..)?;
    let mut found = Carried::default();
    let skipped = skip_options("", after, options, *operands, &mut Vec::new(), &mut found);
    (skipped < after.len()).then_some(path.len() + skipped)
}

fn skip_options(
    name: &str,
    rest: &[Field],
    options: &[&'static str],
    operands: usize,
    env: &mut Vec<(String, Field)>,
    found: &mut Carried,
) -> usize {
    let mut at = 0;
    let mut left = operands;
    while let Some(word) = rest.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            at += 1;
            // Operands can stand before it (`kubectl exec POD -- ls`) or after it.
            at += if name.is_empty() { 0 } else { left };
            break;
        }
        if text.len() > 1 && text.starts_with('-') {
            at += 1;
            let (option, value) = option_value(text, options);
            let value = match value {
                Some(value) => Some(word.with_text(value)),
                None if option.is_some() => {
                    at += 1;
                    rest.get(at - 1).cloned()
                }
                None => None,
            };
            match (name, option) {
                ("env", Some("-S" | "--split-string")) => {
                    let mut code = value.unwrap_or_default();
                    for word in rest.get(at..).unwrap_or_default() {
                        code.text.push(' ');
                        code.push(word);
                    }
                    found.code = Some(code);
                    return rest.len();
                }
                ("env", Some("-C" | "--chdir")) | ("sudo", Some("-D" | "--chdir")) => {
                    found.cwd = value.map(|value| value.text);
                }
                _ => {}
            }
            continue;
        }
        if text == "-" {
            at += 1;
            continue;
        }
        if matches!(name, "env" | "sudo" | "doas")
            && let Some((variable, value)) = text.split_once('=')
            && !variable.contains('/')
        {
            env.push((variable.to_owned(), word.with_text(value)));
            at += 1;
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        at += 1;
    }
    at.min(rest.len())
}

/// The option of a list that a word is, and the value that is attached to it.
fn option_value<'a>(
    text: &'a str,
    options: &[&'static str],
) -> (Option<&'static str>, Option<&'a str>) {
    if let Some((long, value)) = text.split_once('=')
        && long.starts_with("--")
    {
        return (options.iter().find(|option| **option == long).copied(), Some(value));
    }
    if text.starts_with("--") {
        return (options.iter().find(|option| **option == text).copied(), None);
    }
    // A cluster of letters: the first that takes a value takes the rest, or the next word.
    for (at, letter) in text.char_indices().skip(1) {
        let mut letters = option_letters(options);
        if let Some(option) = letters.find(|option| option.ends_with(letter)) {
            let value = text.get(at + letter.len_utf8()..).filter(|value| !value.is_empty());
            return (Some(option), value);
        }
    }
    (None, None)
}

fn option_letters<'a>(options: &'a [&'static str]) -> impl Iterator<Item = &'static str> + 'a {
    options.iter().copied().filter(|option| option.len() == 2)
}
