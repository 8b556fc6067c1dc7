//! Options whose value is a command.

use super::remote::proxy_command;
use super::{inline, join};
use crate::shell::field::Field;
use crate::shell::walk::Walker;
use crate::shell::walk::simple::Call;
use crate::shell::walk::state::{Shell, how};

impl Walker<'_> {
    /// Options whose value is a command.
    pub(in crate::shell) fn option_code(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
        let (program, args, stdin) = (call.program(), call.args(), call.stdin.as_ref());
        let code = match program {
            "su" | "runuser" | "sg" | "script" | "flock" | "nix-shell" | "expect" | "npx"
            | "pwsh" | "powershell" => {
                value_of(args, &["-c", "--command", "--run", "-Command", "--call"])
            }
            "watch" | "entr" | "onchange" | "nodemon" => {
                words_after_options(args, &["-n", "--interval", "-w", "-e", "--exec"])
            }
            "hyperfine" | "concurrently" => Some(lines(args)),
            "awk" | "gawk" | "mawk" | "nawk" => inline::awk(args),
            "sed" | "gsed" => inline::sed(args),
            "vim" | "vi" | "nvim" | "ex" => {
                let command = value_of(args, &["-c", "+", "--cmd"])?;
                let text =
                    command.text.trim_start_matches([':', ' ']).strip_prefix('!')?.to_owned();
                Some(command.with_text(text))
            }
            "tar" | "gtar" | "bsdtar" => after_prefix(
                args,
                &[
                    "--checkpoint-action=exec=",
                    "--to-command=",
                    "--use-compress-program=",
                    "--rmt-command=",
                    "--rsh-command=",
                ],
            ),
            "rsync" => value_of(args, &["-e", "--rsh", "--rsync-path"]),
            "scp" | "sftp" => args.iter().find_map(proxy_command),
            "git" => git_code(args),
            "tmux" | "screen" => {
                let last = args.last().filter(|last| last.text.contains(' '));
                last.cloned()
            }
            "make" | "gmake" => recipes(args, stdin).or_else(|| after_prefix(args, &["SHELL="])),
            "gdb" | "lldb" => {
                let command = value_of(args, &["-ex", "-eval-command", "-o"])?;
                Some(command.with_text(command.text.strip_prefix("shell ")?))
            }
            "zip" => after_prefix(args, &["--unzip-command=", "-TT"]),
            "man" => value_of(args, &["-P", "--pager"]),
            "docker" | "podman" | "gcloud" | "vagrant" | "heroku" | "adb" | "fly" | "flyctl" => {
                let code = match program {
                    "adb" => args
                        .first()
                        .filter(|arg| arg.text == "shell")
                        .map(|_| join(args.get(1..).unwrap_or_default())),
                    _ => value_of(args, &["--command", "-c", "-C"]),
                }?;
                let mut inner = shell.clone();
                inner.how |= how::REMOTE;
                inner.cwd = None;
                return self.read_code(&code, program, &mut inner);
            }
            _ => None,
        }?;
        self.fresh(&code, program, shell, None)
    }
}

/// The recipes of a makefile on the standard input.
fn recipes(args: &[Field], stdin: Option<&Field>) -> Option<Field> {
    let file = value_of(args, &["-f", "--file", "--makefile"])?;
    if file.text != "-" {
        return None;
    }
    let table = stdin?;
    let lines = table.text.lines().filter_map(|line| line.strip_prefix('\t'));
    let code: Vec<&str> = lines.map(|line| line.trim_start_matches(['@', '-', '+'])).collect();
    Some(table.with_text(code.join("\n")))
}

fn lines(words: &[Field]) -> Field {
    let mut joined = Field::default();
    for word in words.iter().filter(|word| !word.text.starts_with('-')) {
        joined.push(word);
        joined.text.push('\n');
    }
    joined
}

/// The value of an option: attached, after `=`, or the next word.
fn value_of(args: &[Field], options: &[&str]) -> Option<Field> {
    for (at, arg) in args.iter().enumerate() {
        for option in options {
            if arg.text == *option {
                return args.get(at + 1).cloned();
            }
            let Some(rest) = arg.text.strip_prefix(option) else { continue };
            if let Some(value) = rest.strip_prefix('=') {
                return Some(arg.with_text(value));
            }
            if *option == "+" || (option.len() == 2 && !rest.is_empty()) {
                return Some(arg.with_text(rest));
            }
        }
        // `su -lc CODE`: the last letter of a cluster.
        let is_cluster =
            arg.text.len() > 2 && arg.text.starts_with('-') && !arg.text.starts_with("--");
        if is_cluster && options.contains(&"-c") && arg.text.ends_with('c') {
            return args.get(at + 1).cloned();
        }
    }
    None
}

fn words_after_options(args: &[Field], options: &[&str]) -> Option<Field> {
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.text.starts_with('-')) {
        at += if options.contains(&arg.text.as_str()) { 2 } else { 1 };
    }
    let rest = args.get(at..)?;
    (!rest.is_empty()).then(|| join(rest))
}

fn after_prefix(args: &[Field], prefixes: &[&str]) -> Option<Field> {
    let mut found = Field::default();
    for arg in args {
        for prefix in prefixes {
            if let Some(code) = arg.text.strip_prefix(prefix) {
                found.push(&arg.with_text(code));
                found.text.push('\n');
            }
        }
    }
    (!found.text.is_empty()).then_some(found)
}

/// Commands in git's arguments: `-c alias.x=!CODE`, `rebase --exec CODE`, `submodule foreach CODE` …
fn git_code(args: &[Field]) -> Option<Field> {
    let mut found = Field::default();
    let mut add = |code: &Field| {
        found.push(code);
        found.text.push('\n');
    };
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        let next = args.get(at + 1);
        match text {
            "-c" => {
                let Some((setting, value)) = next.and_then(|next| next.text.split_once('=')) else {
                    continue;
                };
                let name = setting.to_ascii_lowercase();
                let command = value.strip_prefix('!').or_else(|| {
                    let runs = [
                        "core.sshcommand",
                        "core.pager",
                        "core.editor",
                        "core.fsmonitor",
                        "sequence.editor",
                        "gpg.program",
                        "credential.helper",
                        "diff.external",
                    ];
                    runs.contains(&name.as_str()).then_some(value)
                });
                if let Some(command) = command {
                    add(&next.cloned().unwrap_or_default().with_text(command));
                }
            }
            "--exec" | "-x" | "--tree-filter" | "--index-filter" | "--msg-filter"
            | "--env-filter" | "--commit-filter" | "--parent-filter" | "--upload-pack"
            | "--receive-pack" | "--extcmd" => {
                if let Some(next) = next {
                    add(next);
                }
            }
            "foreach"
                if at > 0 && args.get(at - 1).is_some_and(|word| word.text == "submodule") =>
            {
                let rest = args.get(at + 1..).unwrap_or_default();
                let skip = rest.iter().take_while(|word| word.text.starts_with("--")).count();
                add(&join(rest.get(skip..).unwrap_or_default()));
            }
            "run" if at > 0 && args.get(at - 1).is_some_and(|word| word.text == "bisect") => {
                add(&join(args.get(at + 1..).unwrap_or_default()));
            }
            _ => {
                if let Some(code) =
                    text.strip_prefix("--exec=").or_else(|| text.strip_prefix("--upload-pack="))
                {
                    add(&arg.with_text(code));
                }
            }
        }
    }
    (!found.text.is_empty()).then_some(found)
}
