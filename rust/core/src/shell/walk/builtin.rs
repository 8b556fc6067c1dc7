//! Builtins that change what is known of the shell.

use std::rc::Rc;
use std::sync::Arc;

use crate::shell::field::{Field, UNKNOWN_TEXT, mark};
use crate::shell::walk::Walker;
use crate::shell::walk::simple::{Call, resolve};
use crate::shell::walk::state::{Shell, Value};

impl Walker<'_> {
    pub(in crate::shell) fn builtin(&mut self, call: &Call, shell: &mut Shell) {
        let args = call.args();
        match call.program() {
            "cd" | "pushd" | "chdir" => change_folder(args, shell, self.home),
            "popd" => shell.cwd = None,
            "export" | "declare" | "typeset" | "local" | "readonly" => declare(args, shell),
            "alias" => {
                for arg in args {
                    if let Some((name, text)) = arg.text.split_once('=') {
                        Rc::make_mut(&mut shell.aliases).insert(name.to_owned(), text.to_owned());
                    }
                }
            }
            "unalias" => {
                for arg in args {
                    if shell.aliases.contains_key(&arg.text) {
                        Rc::make_mut(&mut shell.aliases).remove(&arg.text);
                    }
                }
            }
            "unset" => args.iter().for_each(|arg| shell.unset(&arg.text)),
            "set" => {
                if let Some(at) = args.iter().position(|arg| arg.text == "--") {
                    shell.arguments = Some(Rc::from(args.get(at + 1..).unwrap_or_default()));
                }
            }
            "shift" => {
                let by = args.first().and_then(|arg| arg.text.parse().ok()).unwrap_or(1);
                let left = shell.arguments.as_deref().and_then(|given| given.get(by..));
                shell.arguments = left.map(Rc::from);
            }
            "read" | "mapfile" | "readarray" => read(call, shell),
            "printf" => print_to_variable(self, call, shell),
            _ => {}
        }
    }
}

fn change_folder(args: &[Field], shell: &mut Shell, home: &str) {
    let target = args.iter().find(|arg| !arg.text.starts_with('-') || arg.text == "-");
    shell.cwd = match target {
        None => Some(Arc::from(home)),
        Some(target) if target.text == "-" || !target.is_exact() => None,
        Some(target) => resolve(shell.cwd.as_deref(), &target.text),
    };
}

fn declare(args: &[Field], shell: &mut Shell) {
    for arg in args {
        if let Some((name, value)) = arg.text.split_once('=') {
            shell.assign(name, Value::One(vec![arg.with_text(value)]), false);
        }
    }
}

/// `read` puts its input, or its words, into variables.
fn read(call: &Call, shell: &mut Shell) {
    let line = match &call.stdin {
        Some(stdin) if stdin.is_exact() => {
            let line = stdin.text.lines().next().unwrap_or_default();
            Field::exact(line.trim())
        }
        Some(stdin) => {
            let mut line = Field::unknown(0);
            line.add_sources(&stdin.sources);
            line
        }
        None => Field::unknown(0),
    };
    let names: Vec<&str> = call
        .args()
        .iter()
        .map(|arg| arg.text.as_str())
        .filter(|name| name.starts_with(|first: char| first.is_alphabetic() || first == '_'))
        .collect();
    let names = if names.is_empty() { vec!["REPLY"] } else { names };
    let mut words = line.text.split_whitespace();
    let last = names.len() - 1;
    for (number, name) in names.into_iter().enumerate() {
        let value = if !line.is_exact() || last == 0 {
            line.clone()
        } else if number == last {
            Field::exact(words.by_ref().collect::<Vec<_>>().join(" "))
        } else {
            Field::exact(words.next().unwrap_or_default())
        };
        // A loop may read many lines; the first stands for all only where it is the whole input.
        let whole = call.stdin.as_ref().is_none_or(|stdin| stdin.text.lines().count() <= 1);
        let mut values = vec![value];
        if !whole && let Some(stdin) = call.stdin.as_ref().filter(|stdin| stdin.is_exact()) {
            values
                .extend(stdin.text.lines().skip(1).take(63).map(|line| Field::exact(line.trim())));
        }
        shell.assign(name, Value::One(values), false);
    }
}

fn print_to_variable(walker: &mut Walker<'_>, call: &Call, shell: &mut Shell) {
    let [option, name, rest @ ..] = call.args() else { return };
    if option.text != "-v" {
        return;
    }
    let mut words = vec![Field::exact("printf")];
    words.extend(rest.iter().cloned());
    let printed = walker.output(&Call { words, ..Call::default() }, shell);
    let value = printed.unwrap_or_else(|| Field {
        text: UNKNOWN_TEXT.to_owned(),
        mark: mark::UNKNOWN,
        sources: Vec::new(),
    });
    shell.assign(&name.text, Value::One(vec![value]), false);
}
