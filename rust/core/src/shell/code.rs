//! Arguments and inputs that are code: what they say is read as well.

use std::rc::Rc;
use std::sync::Arc;

use super::carriers;
use super::field::{Field, mark};
use super::inline;
use super::run::Opened;
use super::simple::Call;
use super::state::{Shell, how};
use super::walk::Walker;

/// Items of a known list that `xargs` and `parallel` are read with.
const MOST_ITEMS: usize = 256;

const SHELLS: [&str; 14] = [
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash", "fish", "csh", "tcsh", "yash",
    "hush", "osh",
];

/// Options of `parallel` that take a word.
const PARALLEL_OPTIONS: [&str; 26] = [
    "-j", "--jobs", "-P", "-a", "--arg-file", "-N", "-n", "-I", "-C", "--colsep", "-d", "--delimiter",
    "--results", "--joblog", "--delay", "--retries", "--timeout", "-S", "--sshlogin", "--tmpdir",
    "--workdir", "--wd", "--return", "--env", "--halt", "--nice",
];

/// Options of `ssh` that take a word.
const SSH_OPTIONS: &str = "bcDEeFIiJLlmOoPpQRSWw";

impl Walker<'_> {
    /// Reads the code that a program is given; its output, or None where there is no code.
    pub(super) fn carried_code(
        &mut self,
        call: &Call,
        index: usize,
        shell: &mut Shell,
    ) -> Option<Field> {
        let program = call.program();
        let args = call.args();
        if SHELLS.contains(&program) {
            return self.shell(call, shell);
        }
        if let Some(start) = carriers::remote_program(&call.words) {
            return self.remote_words(call, start, shell);
        }
        match program {
            "eval" => self.read_code(&join(args), "eval", shell),
            "source" | "." => {
                let code = self.file_content(args.first()?, call)?;
                self.read_code(&code, program, shell)
            }
            "trap" => {
                let code = args.iter().find(|arg| !arg.text.starts_with('-'))?;
                self.read_code(code, "trap", &mut shell.clone())
            }
            "xargs" => self.xargs(call, index, shell),
            "find" | "gfind" => self.find(args, index, shell),
            "fd" | "fdfind" => self.fd(args, index, shell),
            "parallel" => self.parallel(call, shell),
            "ssh" | "mosh" | "autossh" | "sshpass" => self.ssh(args, call, shell),
            "at" | "batch" => {
                let code = call.stdin.clone()?;
                self.read_code(&code, program, &mut shell.clone())
            }
            "crontab" => self.crontab(call, shell),
            _ => {
                let inline = inline::commands(program, args, call.stdin.as_ref());
                if let Some(code) = inline {
                    return self.inline(program, &code, shell);
                }
                self.option_code(program, args, shell)
            }
        }
    }

    /// Reads code in a shell of its own.
    fn fresh(&mut self, code: &Field, via: &str, shell: &Shell, stdin: Option<Field>) -> Option<Field> {
        let mut inner = shell.clone();
        inner.stdin = stdin;
        self.read_code(code, via, &mut inner)
    }

    /// What a file holds that is a process substitution or the standard input.
    fn file_content(&self, file: &Field, call: &Call) -> Option<Field> {
        if matches!(file.text.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-") {
            return call.stdin.clone();
        }
        self.files.iter().find(|(path, _)| *path == file.text).map(|(_, content)| content.clone())
    }

    fn shell(&mut self, call: &Call, shell: &mut Shell) -> Option<Field> {
        let program = call.program();
        let mut args = call.args().iter();
        let mut has_code = false;
        let mut operand = None;
        while let Some(arg) = args.next() {
            let text = arg.text.as_str();
            match text {
                "--rcfile" | "--init-file" => {
                    args.next();
                }
                "-" | "--" => {
                    operand = args.next();
                    break;
                }
                _ if text.starts_with("--") => {}
                _ if text.len() > 1 && (text.starts_with('-') || text.starts_with('+')) => {
                    has_code |= text.starts_with('-') && text.contains('c');
                    if text.ends_with(['o', 'O']) {
                        args.next();
                    }
                }
                _ => {
                    operand = Some(arg);
                    break;
                }
            }
        }
        let rest: Vec<Field> = args.cloned().collect();
        let mut inner = shell.clone();
        for (name, value) in &call.env {
            inner.assign(name, super::state::Value::One(vec![value.clone()]), false);
        }
        inner.stdin.clone_from(&call.stdin);
        let code = if has_code {
            let given = rest.get(1..).unwrap_or_default();
            inner.arguments = Some(Rc::from(given));
            operand?.clone()
        } else if let Some(file) = operand {
            inner.arguments = Some(Rc::from(rest));
            self.file_content(file, call)?
        } else {
            inner.stdin = None;
            call.stdin.clone()?
        };
        let via = if has_code { format!("{program} -c") } else { program.to_owned() };
        self.read_code(&code, &via, &mut inner)
    }

    fn remote_words(&mut self, call: &Call, start: usize, shell: &Shell) -> Option<Field> {
        let mut inner = shell.clone();
        inner.how |= how::REMOTE;
        inner.cwd = None;
        inner.via.push(Arc::from(call.program()));
        inner.depth += 1;
        let words = call.words.get(start..)?.to_vec();
        let call = Call { words, env: Vec::new(), stdin: call.stdin.clone() };
        Some(self.nested(call, &mut inner))
    }

    /// Runs a call that another one makes.
    fn nested(&mut self, call: Call, shell: &mut Shell) -> Field {
        if !self.budget.enter(0) {
            return Field::unknown(0);
        }
        let output = self.call(call, Opened::default(), shell);
        self.budget.leave();
        output
    }

    fn xargs(&mut self, call: &Call, index: usize, shell: &Shell) -> Option<Field> {
        let mut replace: Option<&str> = None;
        let mut separator = None;
        let mut from_file = false;
        let mut args = call.args();
        while let Some((first, rest)) = args.split_first() {
            let text = first.text.as_str();
            if text == "--" {
                args = rest;
                break;
            }
            if !text.starts_with('-') || text.len() < 2 {
                break;
            }
            args = rest;
            let (option, attached) = match text.strip_prefix("--") {
                Some(long) => long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))),
                None => (
                    text.get(1..2).unwrap_or_default(),
                    text.get(2..).filter(|value| !value.is_empty()),
                ),
            };
            let takes = matches!(
                option,
                "a" | "d" | "E" | "I" | "L" | "n" | "P" | "s" | "arg-file" | "delimiter" | "max-args"
                    | "max-procs" | "max-chars" | "max-lines" | "process-slot-var"
            );
            let value = if takes && attached.is_none() {
                let (value, rest) = args.split_first()?;
                args = rest;
                Some(value.text.as_str())
            } else {
                attached
            };
            match option {
                "I" | "replace" | "i" => replace = Some(value.unwrap_or("{}")),
                "a" | "arg-file" => from_file = true,
                "0" | "null" => separator = Some('\0'),
                "d" | "delimiter" => separator = value.and_then(|value| value.chars().next()),
                _ => {}
            }
        }
        let unread = Field::unknown(0);
        let stdin = if from_file { Some(&unread) } else { call.stdin.as_ref() };
        let items = items(stdin, separator.or(replace.map(|_| '\n')), index);
        let mut inner = shell.clone();
        inner.via.push(Arc::from("xargs"));
        inner.depth += 1;
        let words = if args.is_empty() { vec![Field::exact("echo")] } else { args.to_vec() };
        let mut output = None;
        let calls = match replace {
            Some(place) => items.iter().map(|item| put(&words, place, item)).collect(),
            None => vec![words.into_iter().chain(items).collect::<Vec<_>>()],
        };
        for words in calls {
            let made = self.nested(Call { words, ..Call::default() }, &mut inner);
            output.get_or_insert(made);
        }
        output
    }

    fn find(&mut self, args: &[Field], index: usize, shell: &Shell) -> Option<Field> {
        let mut output = None;
        let mut rest = args;
        while let Some(at) = rest.iter().position(|arg| {
            matches!(arg.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir")
        }) {
            let after = rest.get(at + 1..).unwrap_or_default();
            let end = after.iter().position(|arg| matches!(arg.text.as_str(), ";" | "+"));
            let words = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
            let found = Self::found(&[(index, index + 1)]);
            let mut inner = shell.clone();
            inner.via.push(Arc::from("find -exec"));
            inner.depth += 1;
            let call = Call { words: put(words, "{}", &found), ..Call::default() };
            let made = self.nested(call, &mut inner);
            output.get_or_insert(made);
            rest = after.get(words.len()..).unwrap_or_default();
        }
        output
    }

    fn fd(&mut self, args: &[Field], index: usize, shell: &Shell) -> Option<Field> {
        let at = args.iter().position(|arg| {
            matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch")
        })?;
        let found = Self::found(&[(index, index + 1)]);
        let given = args.get(at + 1..).unwrap_or_default();
        let mut words = put(given, "{}", &found);
        if !given.iter().any(|word| word.text.contains('{')) {
            words.push(found);
        }
        let mut inner = shell.clone();
        inner.via.push(Arc::from("fd --exec"));
        inner.depth += 1;
        Some(self.nested(Call { words, ..Call::default() }, &mut inner))
    }

    fn parallel(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
        let args = call.args();
        let colons = args.iter().position(|arg| arg.text.starts_with(":::"));
        let mut start = 0;
        while let Some(arg) = args.get(start).filter(|arg| arg.text.starts_with('-')) {
            start += if PARALLEL_OPTIONS.contains(&arg.text.as_str()) { 2 } else { 1 };
        }
        let words = args.get(start..colons.unwrap_or(args.len())).unwrap_or_default();
        let items = match colons {
            Some(at) => args.get(at + 1..).unwrap_or_default().to_vec(),
            None => items(call.stdin.as_ref(), Some('\n'), self.runs.len()),
        };
        let code = join(words);
        let mut output = None;
        for item in items.iter().take(MOST_ITEMS) {
            let mut line = if code.text.is_empty() {
                item.clone()
            } else if code.text.contains("{}") {
                let mut line = code.with_text(code.text.replace("{}", &item.text));
                line.mark |= item.mark;
                line.add_sources(&item.sources);
                line
            } else {
                let mut line = code.clone();
                line.text.push(' ');
                line.push(item);
                line
            };
            line.mark &= !mark::GLOB;
            let made = self.fresh(&line, "parallel", shell, None);
            output = output.or(made);
            // With `-q`, and in the minds of many, a quoted word stays whole.
            if words.iter().any(|word| word.text == "-c") {
                let mut whole = put(words, "{}", item);
                if !code.text.contains("{}") {
                    whole.push(item.clone());
                }
                let mut inner = shell.clone();
                inner.via.push(Arc::from("parallel"));
                inner.depth += 1;
                self.nested(Call { words: whole, ..Call::default() }, &mut inner);
            }
        }
        output
    }

    fn ssh(&mut self, args: &[Field], call: &Call, shell: &Shell) -> Option<Field> {
        let mut args = args.iter();
        let mut output = None;
        let mut has_host = call.program() == "sshpass";
        while let Some(arg) = args.as_slice().first() {
            let text = arg.text.as_str();
            if text == "--" {
                args.next();
            } else if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                args.next();
                let takes = letters.chars().position(|letter| SSH_OPTIONS.contains(letter));
                let Some(at) = takes else { continue };
                let attached = letters.get(at + 1..).filter(|value| !value.is_empty());
                let value = match attached {
                    Some(value) => Some(arg.with_text(value)),
                    None => args.next().cloned(),
                };
                if let Some(code) = value.as_ref().and_then(proxy_command) {
                    output = self.fresh(&code, "ssh -o", shell, None).or(output);
                }
            } else if has_host {
                break;
            } else {
                has_host = true;
                args.next();
            }
        }
        let rest = args.as_slice();
        if call.program() == "sshpass" {
            let words = rest.to_vec();
            let mut inner = shell.clone();
            return Some(self.nested(Call { words, ..Call::default() }, &mut inner));
        }
        let code = if rest.is_empty() { call.stdin.clone()? } else { join(rest) };
        let mut inner = shell.clone();
        inner.how |= how::REMOTE;
        inner.cwd = None;
        inner.stdin = if rest.is_empty() { None } else { call.stdin.clone() };
        self.read_code(&code, "ssh", &mut inner).or(output)
    }

    fn crontab(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
        let file = call.args().iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
        let table = match file {
            Some(file) => self.file_content(file, call)?,
            None => call.stdin.clone()?,
        };
        let mut lines = table.with_text("");
        for line in table.text.lines() {
            let words = if line.trim_start().starts_with('@') { 1 } else { 5 };
            let mut rest = line.trim_start();
            for _ in 0..words {
                rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
            }
            lines.text.push_str(rest);
            lines.text.push('\n');
        }
        let mut code = table.with_text(lines.text);
        code.sources.clone_from(&table.sources);
        self.fresh(&code, "crontab", shell, None)
    }

    /// What inline code of another language does, said as commands.
    fn inline(&mut self, program: &str, code: &Field, shell: &Shell) -> Option<Field> {
        let mut inner = shell.clone();
        inner.how |= how::INLINE;
        inner.stdin = None;
        // Code that does nothing a command could say was read all the same.
        self.read_code(code, program, &mut inner).or_else(|| Some(Field::unknown(0)))
    }

    /// Options whose value is a command.
    fn option_code(&mut self, program: &str, args: &[Field], shell: &Shell) -> Option<Field> {
        let code = match program {
            "su" | "runuser" | "sg" | "script" | "flock" | "nix-shell" | "expect" | "npx" | "pwsh"
            | "powershell" => value_of(args, &["-c", "--command", "--run", "-Command", "--call"]),
            "watch" | "entr" | "onchange" | "nodemon" => words_after_options(args, &["-n", "--interval", "-w", "-e", "--exec"]),
            "hyperfine" | "concurrently" => Some(lines(args)),
            "awk" | "gawk" | "mawk" | "nawk" => inline::awk(args),
            "sed" | "gsed" => inline::sed(args),
            "vim" | "vi" | "nvim" | "ex" => {
                let command = value_of(args, &["-c", "+", "--cmd"])?;
                let text = command.text.trim_start_matches([':', ' ']).strip_prefix('!')?.to_owned();
                Some(command.with_text(text))
            }
            "tar" | "gtar" | "bsdtar" => after_prefix(
                args,
                &["--checkpoint-action=exec=", "--to-command=", "--use-compress-program=", "--rmt-command=", "--rsh-command="],
            ),
            "rsync" => value_of(args, &["-e", "--rsh", "--rsync-path"]),
            "scp" | "sftp" => args.iter().find_map(proxy_command),
            "git" => git_code(args),
            "tmux" | "screen" => {
                let last = args.last().filter(|last| last.text.contains(' '));
                last.cloned()
            }
            "make" | "gmake" => after_prefix(args, &["SHELL=", "--eval="]),
            "zip" => after_prefix(args, &["--unzip-command=", "-TT"]),
            "man" => value_of(args, &["-P", "--pager"]),
            "docker" | "podman" | "gcloud" | "vagrant" | "heroku" | "adb" | "fly" | "flyctl" => {
                let code = match program {
                    "adb" => args.first().filter(|arg| arg.text == "shell").map(|_| join(args.get(1..).unwrap_or_default())),
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

/// The words of a call in one text, as `eval` and `ssh` put them together.
fn join(words: &[Field]) -> Field {
    let mut joined = Field::default();
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            joined.text.push(' ');
        }
        joined.push(word);
    }
    joined
}

fn lines(words: &[Field]) -> Field {
    let mut joined = Field::default();
    for word in words.iter().filter(|word| !word.text.starts_with('-')) {
        joined.push(word);
        joined.text.push('\n');
    }
    joined
}

/// The words of a list that a program reads, or one that stands for what is not known.
fn items(stdin: Option<&Field>, separator: Option<char>, index: usize) -> Vec<Field> {
    let Some(stdin) = stdin else { return Vec::new() };
    let Some(text) = stdin.known() else {
        let mut sources = stdin.sources.clone();
        sources.push((index, index));
        return vec![Walker::found(&sources)];
    };
    let items: Vec<Field> = match separator {
        Some(separator) => {
            text.split(separator).map(str::trim_end).filter(|item| !item.is_empty()).map(Field::exact).collect()
        }
        None => text
            .split_whitespace()
            .map(|item| Field::exact(item.trim_matches(['\'', '"'])))
            .collect(),
    };
    items.into_iter().take(MOST_ITEMS).collect()
}

/// The words with an item in the place of `{}`.
fn put(words: &[Field], place: &str, item: &Field) -> Vec<Field> {
    let replaced = words.iter().map(|word| {
        if place.is_empty() || !word.text.contains(place) {
            return word.clone();
        }
        let mut word = Field { text: word.text.replace(place, &item.text), ..word.clone() };
        word.mark |= item.mark;
        word.add_sources(&item.sources);
        word
    });
    replaced.collect()
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
        let is_cluster = arg.text.len() > 2 && arg.text.starts_with('-') && !arg.text.starts_with("--");
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

fn proxy_command(value: &Field) -> Option<Field> {
    let text = value.text.trim_start_matches("-o");
    let (name, code) = text.split_once(['=', ' '])?;
    let carries = ["proxycommand", "localcommand", "knownhostscommand"];
    carries.contains(&name.trim().to_ascii_lowercase().as_str()).then(|| value.with_text(code))
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
                let Some((setting, value)) = next.and_then(|next| next.text.split_once('=')) else { continue };
                let name = setting.to_ascii_lowercase();
                let command = value.strip_prefix('!').or_else(|| {
                    let runs = ["core.sshcommand", "core.pager", "core.editor", "core.fsmonitor", "sequence.editor", "gpg.program", "credential.helper", "diff.external"];
                    runs.contains(&name.as_str()).then_some(value)
                });
                if let Some(command) = command {
                    add(&next.cloned().unwrap_or_default().with_text(command));
                }
            }
            "--exec" | "-x" | "--tree-filter" | "--index-filter" | "--msg-filter" | "--env-filter"
            | "--commit-filter" | "--parent-filter" | "--upload-pack" | "--receive-pack" | "--extcmd" => {
                if let Some(next) = next {
                    add(next);
                }
            }
            "foreach" if at > 0 && args.get(at - 1).is_some_and(|word| word.text == "submodule") => {
                let rest = args.get(at + 1..).unwrap_or_default();
                let skip = rest.iter().take_while(|word| word.text.starts_with("--")).count();
                add(&join(rest.get(skip..).unwrap_or_default()));
            }
            "run" if at > 0 && args.get(at - 1).is_some_and(|word| word.text == "bisect") => {
                add(&join(args.get(at + 1..).unwrap_or_default()));
            }
            _ => {
                if let Some(code) = text.strip_prefix("--exec=").or_else(|| text.strip_prefix("--upload-pack=")) {
                    add(&arg.with_text(code));
                }
            }
        }
    }
    (!found.text.is_empty()).then_some(found)
}

