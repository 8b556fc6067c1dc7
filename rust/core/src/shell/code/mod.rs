//! Arguments and inputs that are code: what they say is read as well.

mod inline;
mod lists;
mod options;
mod remote;

use std::rc::Rc;

use crate::shell::field::Field;
use crate::shell::run::Opened;
use crate::shell::walk::Walker;
use crate::shell::walk::carriers;
use crate::shell::walk::simple::Call;
use crate::shell::walk::state::{Shell, how};

const SHELLS: [&str; 14] = [
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash", "fish", "csh", "tcsh", "yash",
    "hush", "osh",
];

impl Walker<'_> {
    /// Reads the code that a program is given; its output, or None where there is no code.
    pub(in crate::shell) fn carried_code(
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
                self.option_code(call, shell)
            }
        }
    }

    /// Reads code in a shell of its own.
    pub(in crate::shell) fn fresh(
        &mut self,
        code: &Field,
        via: &str,
        shell: &Shell,
        stdin: Option<Field>,
    ) -> Option<Field> {
        let mut inner = shell.clone();
        inner.stdin = stdin;
        self.read_code(code, via, &mut inner)
    }

    /// What a file holds that is a process substitution or the standard input.
    pub(in crate::shell) fn file_content(&self, file: &Field, call: &Call) -> Option<Field> {
        if matches!(file.text.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-") {
            return call.stdin.clone();
        }
        self.files.iter().find(|(path, _)| *path == file.text).map(|(_, content)| content.clone())
    }

    pub(in crate::shell) fn shell(&mut self, call: &Call, shell: &mut Shell) -> Option<Field> {
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
            inner.assign(name, crate::shell::walk::state::Value::One(vec![value.clone()]), false);
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

    /// Runs a call that another one makes.
    pub(in crate::shell) fn nested(&mut self, call: Call, shell: &mut Shell) -> Field {
        if !self.budget.enter(0) {
            return Field::unknown(0);
        }
        let output = self.call(call, Opened::default(), shell);
        self.budget.leave();
        output
    }

    pub(in crate::shell) fn crontab(&mut self, call: &Call, shell: &Shell) -> Option<Field> {
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
                rest =
                    rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
            }
            lines.text.push_str(rest);
            lines.text.push('\n');
        }
        let mut code = table.with_text(lines.text);
        code.sources.clone_from(&table.sources);
        self.fresh(&code, "crontab", shell, None)
    }

    /// What inline code of another language does, said as commands.
    pub(in crate::shell) fn inline(
        &mut self,
        program: &str,
        code: &Field,
        shell: &Shell,
    ) -> Option<Field> {
        let mut inner = shell.clone();
        inner.how |= how::INLINE;
        inner.stdin = None;
        // Code that does nothing a command could say was read all the same.
        self.read_code(code, program, &mut inner).or_else(|| Some(Field::unknown(0)))
    }
}

/// The words of a call in one text, as `eval` and `ssh` put them together.
pub(in crate::shell) fn join(words: &[Field]) -> Field {
    let mut joined = Field::default();
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            joined.text.push(' ');
        }
        joined.push(word);
    }
    joined
}
