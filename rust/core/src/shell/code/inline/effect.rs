//! One call of another language as a shell command.

use super::scan::{Call, Scan};
use crate::shell::field::UNKNOWN;

/// What a call does, by the last part of its name.
#[derive(Clone, Copy)]
enum Effect {
    Shell,
    DeleteAll,
    Delete,
    Chmod(&'static str),
    Move,
    Copy,
    Open,
    Write,
    Append,
    Read,
    Download,
    Fetch,
}

const EFFECTS: &[(Effect, &[&str])] = &[
    (
        Effect::Shell,
        &[
            "system",
            "popen",
            "popen2",
            "popen3",
            "getoutput",
            "getstatusoutput",
            "check_output",
            "check_call",
            "call",
            "run",
            "Popen",
            "exec",
            "execSync",
            "execFile",
            "execFileSync",
            "spawn",
            "spawnSync",
            "shell_exec",
            "passthru",
            "proc_open",
            "pcntl_exec",
            "execvp",
            "execv",
            "execl",
            "execlp",
            "execve",
            "spawnlp",
            "spawnvp",
            "capture2",
            "capture3",
            "qx",
            "sh",
            "$",
            "create_subprocess_shell",
            "create_subprocess_exec",
            "execa",
            "execute",
        ],
    ),
    (
        Effect::DeleteAll,
        &[
            "rmtree",
            "rm_rf",
            "rm_r",
            "remove_tree",
            "removeSync",
            "rimraf",
            "rimrafSync",
            "rmSync",
            "rm",
            "rmdirSync",
            "remove_dir_all",
            "emptyDirSync",
            "emptyDir",
            "remove_entry_secure",
            "deltree",
        ],
    ),
    (
        Effect::Delete,
        &["remove", "unlink", "unlinkSync", "rmdir", "removedirs", "delete", "safe_unlink", "rm_f"],
    ),
    (Effect::Chmod("chmod"), &["chmod", "chmodSync"]),
    (Effect::Chmod("chown"), &["chown", "chownSync"]),
    (Effect::Move, &["move", "rename", "renameSync", "mv"]),
    (
        Effect::Copy,
        &[
            "copy",
            "copyfile",
            "copytree",
            "copyFileSync",
            "cpSync",
            "cp",
            "cp_r",
            "symlink",
            "symlinkSync",
        ],
    ),
    (Effect::Open, &["open", "fopen", "openSync", "createWriteStream"]),
    (
        Effect::Write,
        &[
            "write_text",
            "write_bytes",
            "writeFileSync",
            "writeFile",
            "file_put_contents",
            "outputFileSync",
        ],
    ),
    (Effect::Append, &["appendFileSync", "appendFile"]),
    (
        Effect::Read,
        &["read_text", "read_bytes", "readFileSync", "readFile", "file_get_contents", "readlines"],
    ),
    (Effect::Download, &["urlretrieve", "download"]),
    (Effect::Fetch, &["urlopen", "get", "post", "put", "request", "fetch", "Request", "getstore"]),
];

/// What the calls before this one did, as far as those after it care.
#[derive(Default)]
pub(super) struct Seen {
    /// Files that were read.
    pub(super) reads: Vec<String>,
    /// The last address that was fetched.
    pub(super) fetched: Option<String>,
}

impl Seen {
    fn fetch(&mut self, url: &str) -> String {
        self.fetched = Some(url.to_owned());
        format!("curl {}", quote(url))
    }

    fn read(&mut self, path: &str) -> String {
        if is_url(path) {
            return self.fetch(path);
        }
        self.reads.push(path.to_owned());
        format!("cat {}", path_word(path))
    }
}

/// The command that one call amounts to.
pub(super) fn command(call: &Call, scan: &Scan, seen: &mut Seen) -> Option<String> {
    let name = call.last();
    let (effect, _) = EFFECTS.iter().find(|(_, names)| names.contains(&name))?;
    let first = call.first(&scan.names);
    Some(match effect {
        Effect::Shell => shell_line(call, first)?,
        Effect::DeleteAll => {
            let target = first.map_or_else(|| UNKNOWN.to_string(), |text| path_word(&text));
            format!("rm -rf {target}")
        }
        Effect::Delete => format!("rm -f {}", path_word(&first?)),
        Effect::Chmod(program) => {
            let mode = call.number.as_deref().unwrap_or("755");
            format!("{program} {mode} {}", path_word(&first?))
        }
        Effect::Move | Effect::Copy => {
            let [from, to, ..] = call.literals.as_slice() else { return None };
            let program = if matches!(effect, Effect::Move) { "mv" } else { "cp" };
            format!("{program} {} {}", path_word(from), path_word(to))
        }
        Effect::Open => open(call, &first?, seen),
        Effect::Write => format!(": > {}", path_word(&first?)),
        Effect::Append => format!(": >> {}", path_word(&first?)),
        Effect::Read => seen.read(&first?),
        Effect::Download => {
            let url = first?;
            let curl = seen.fetch(&url);
            match call.literals.get(1) {
                Some(file) => format!("{curl} -o {}", path_word(file)),
                None => curl,
            }
        }
        Effect::Fetch => seen.fetch(call.literals.iter().find(|text| is_url(text))?),
    })
}

fn open(call: &Call, path: &str, seen: &mut Seen) -> String {
    let mode = call.literals.get(1).map_or("", String::as_str);
    let writes = call.last() == "createWriteStream" || mode.contains(['w', 'a', 'x', '+', '>']);
    if !writes || is_url(path) {
        return seen.read(path);
    }
    let op = if mode.contains('a') { ">>" } else { ">" };
    format!(": {op} {}", path_word(path))
}

fn shell_line(call: &Call, first: Option<String>) -> Option<String> {
    match call.literals.as_slice() {
        [] | [_] => first,
        // `spawn('sh', ['-c', 'code'])`, `['rm', '-rf', '/']`
        words => Some(words.iter().map(|word| path_word(word)).collect::<Vec<_>>().join(" ")),
    }
}

fn is_url(text: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|scheme| text.starts_with(scheme))
}

pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as a word: quoted, but `~`, `$HOME`, patterns and what is not known keep their meaning.
pub(super) fn path_word(text: &str) -> String {
    let plain = |letter: char| {
        letter.is_alphanumeric() || "/._-*?~$+=:,@%".contains(letter) || letter == UNKNOWN
    };
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { quote(text) }
}
