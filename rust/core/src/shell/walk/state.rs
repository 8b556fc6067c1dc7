//! What is known of a shell while a command is read: variables, functions, folder, input.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::shell::ast::Command;
use crate::shell::field::{Field, mark};

/// Values that a variable may have at once; the last ones count.
const MOST_ALTERNATIVES: usize = 64;

/// How a run stands in its command; the bits of `How` in Python.
pub(in crate::shell) mod how {
    /// It ends in `&`.
    pub(crate) const BACKGROUND: u16 = 1;
    /// It may not run.
    pub(crate) const MAYBE: u16 = 2;
    /// A function that calls itself.
    pub(crate) const RECURSIVE: u16 = 4;
    /// It runs on another machine, or in a container.
    pub(crate) const REMOTE: u16 = 8;
    /// Its code was read.
    pub(crate) const OPENED: u16 = 16;
    /// It is what inline code of another language does.
    pub(crate) const INLINE: u16 = 32;
    /// The name is a function of this command.
    pub(crate) const DEFINED: u16 = 64;
    /// Its output goes into another run.
    pub(crate) const PIPED: u16 = 128;
    /// Its output becomes a word.
    pub(crate) const CAPTURED: u16 = 256;
}

/// What a variable holds.
#[derive(Debug, Clone)]
pub(in crate::shell) enum Value {
    /// One value, and others that it may have instead.
    One(Vec<Field>),
    /// An array.
    Many(Vec<Field>),
}

/// One of the values that a look-up found.
pub(in crate::shell) trait Choice {
    fn alternatives(&self) -> usize;
    fn pick(&self, alternative: usize) -> Option<Field>;
}

impl Choice for Option<Value> {
    fn alternatives(&self) -> usize {
        match self {
            Some(Value::One(values)) => values.len(),
            _ => 1,
        }
    }

    fn pick(&self, alternative: usize) -> Option<Field> {
        match self {
            Some(Value::One(values)) => {
                values.get(alternative.min(values.len().saturating_sub(1))).cloned()
            }
            Some(Value::Many(values)) => values.first().cloned(),
            None => None,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(in crate::shell) struct Shell {
    pub(in crate::shell) variables: Rc<HashMap<String, Value>>,
    pub(in crate::shell) functions: Rc<HashMap<String, Rc<Command>>>,
    pub(in crate::shell) aliases: Rc<HashMap<String, String>>,
    /// None where it is not known.
    pub(in crate::shell) cwd: Option<Arc<str>>,
    /// `$1` and so on, where they are known.
    pub(in crate::shell) arguments: Option<Rc<[Field]>>,
    /// What comes in on the standard input, where something does.
    pub(in crate::shell) stdin: Option<Field>,
    /// Where the code that is being read comes from, if its text is not all known.
    pub(in crate::shell) code_sources: Vec<(usize, usize)>,
    pub(in crate::shell) via: Vec<Arc<str>>,
    pub(in crate::shell) how: u16,
    /// Layers of code.
    pub(in crate::shell) depth: usize,
    /// Functions that are being run.
    pub(in crate::shell) calls: Vec<String>,
    /// What is assigned here may not be: it joins what the variable held.
    pub(in crate::shell) branch: bool,
}

impl Shell {
    pub(in crate::shell) fn cwd_field(&self) -> Field {
        self.cwd.as_deref().map_or_else(|| Field::unknown(mark::PRESENT), Field::exact)
    }

    pub(in crate::shell) fn separators(&self) -> &str {
        match self.variables.get("IFS") {
            Some(Value::One(values)) => values.last().and_then(Field::known).unwrap_or(" \t\n"),
            _ => " \t\n",
        }
    }

    pub(in crate::shell) fn look_up(&self, name: &str, all: bool, home: &str) -> Option<Value> {
        if let Some(value) = self.variables.get(name) {
            return Some(match value {
                Value::One(values) if all => Value::Many(values.clone()),
                value => value.clone(),
            });
        }
        let one = |text: &str| Some(Value::One(vec![Field::exact(text)]));
        match name {
            "HOME" => one(home),
            "PWD" => Some(Value::One(vec![self.cwd_field()])),
            "IFS" => one(" \t\n"),
            "SHELL" | "BASH" => one("/bin/bash"),
            "TMPDIR" => one("/tmp"),
            "0" => one("bash"),
            "@" | "*" => self.arguments.as_deref().map(|given| Value::Many(given.to_vec())),
            "#" | "?" | "$" | "!" | "-" | "_" | "UID" | "EUID" | "RANDOM" | "SECONDS" => {
                Some(Value::One(vec![Field::unknown(mark::PRESENT)]))
            }
            digit => {
                let number: usize = digit.parse().ok()?;
                match self.arguments.as_deref() {
                    Some(given) => {
                        let given = given.get(number - 1).cloned().unwrap_or_default();
                        Some(Value::One(vec![given]))
                    }
                    // Hardly ever set: `$9` is filler in `rm$IFS$9-rf`.
                    None if number >= 9 => one(""),
                    None => None,
                }
            }
        }
    }

    pub(in crate::shell) fn assign(&mut self, name: &str, value: Value, append: bool) {
        let branch = self.branch;
        let variables = Rc::make_mut(&mut self.variables);
        let before = variables.remove(name);
        let value = match (value, before) {
            (Value::Many(new), Some(Value::Many(mut old))) if append => {
                old.extend(new);
                Value::Many(old)
            }
            (Value::One(new), Some(Value::Many(mut old))) if append => {
                old.extend(new);
                Value::Many(old)
            }
            (Value::One(new), Some(Value::One(old))) if append => {
                let mut joined = old.last().cloned().unwrap_or_default();
                for field in &new {
                    joined.push(field);
                }
                Value::One(vec![joined])
            }
            (Value::One(mut new), before) if branch => {
                match before {
                    Some(Value::One(mut old)) => {
                        old.append(&mut new);
                        let extra = old.len().saturating_sub(MOST_ALTERNATIVES);
                        old.drain(..extra);
                        new = old;
                    }
                    _ => new.push(Field::unknown(0)),
                }
                Value::One(new)
            }
            (value, _) => value,
        };
        variables.insert(name.to_owned(), value);
    }

    pub(in crate::shell) fn unset(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            Rc::make_mut(&mut self.variables).remove(name);
        }
        if self.functions.contains_key(name) {
            Rc::make_mut(&mut self.functions).remove(name);
        }
    }
}
