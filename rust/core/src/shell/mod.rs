//! A command line to what it would run: quotes, variables, aliases, carriers and code in code are
//! resolved as bash resolves them, as far as that follows from the text.
//!
//! `parse` makes commands of the text, `walk` runs through them as a shell would, with `expand` for
//! the words, and leaves a flat list of runs. Time is linear in the text and every layer, word, run
//! and byte that is worked out is counted against a limit; what was not read is a fault.

mod ast;
mod budget;
mod code;
mod field;
mod parse;
mod run;
mod walk;

use std::sync::Arc;

use budget::Budget;
pub use budget::{Fault, FaultKind, ReadingLimits};
use field::Field;
pub use run::Run;
use walk::Walker;
use walk::state::{Shell, Value};

/// A command line, read.
#[derive(Debug)]
pub struct Reading {
    /// What would run, in the order in which it is written.
    pub runs: Vec<Run>,
    /// What was not read.
    pub faults: Vec<Fault>,
    /// The folder afterwards; None where it is not known.
    pub cwd: Option<Arc<str>>,
    /// Variables that the command leaves behind, where their value is known.
    pub assigned: Vec<(String, String)>,
}

/// Where a command starts.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The absolute folder; empty where it is not known.
    pub cwd: &'a str,
    /// The user's home.
    pub home: &'a str,
    /// What may be set already; each is read as set and as unknown.
    pub variables: &'a [(String, String)],
}

/// Words that may hold a command in a text that was not read.
const CARRIERS: [&str; 14] = [
    "rm ", "sh", "eval", "curl", "wget", "dd ", "mkfs", "git ", "chmod", "python", "perl",
    "base64", "sudo", "`",
];

/// Reads a command line as bash would.
#[must_use]
pub fn read_command(text: &str, start: Start<'_>, limits: ReadingLimits) -> Reading {
    let mut budget = Budget::new(limits);
    let mut cut = text.len().min(limits.bytes);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let (read, unread) = text.split_at(cut);
    if !unread.is_empty() {
        let carrier = CARRIERS.iter().any(|word| unread.contains(word));
        budget.fault(FaultKind::Bytes, cut, carrier);
    }
    let mut heredocs = Vec::new();
    let list = parse::parse(read, &mut budget, &mut heredocs);
    let mut shell = Shell::default();
    if !start.cwd.is_empty() {
        shell.cwd = Some(Arc::from(start.cwd));
    }
    for (name, value) in start.variables {
        let values = vec![Field::exact(value.as_str()), Field::unknown(0)];
        shell.assign(name, Value::One(values), false);
    }
    let home = start.home;
    let (runs, files) = (Vec::new(), Vec::new());
    let mut walker = Walker { budget, heredocs, runs, home, width: 1, files };
    walker.list(&list, &mut shell);
    let assigned = shell.variables.iter().filter_map(|(name, value)| match value {
        Value::One(values) => {
            let value = values.first().and_then(Field::known)?;
            Some((name.clone(), value.to_owned()))
        }
        Value::Many(_) => None,
    });
    let mut assigned: Vec<(String, String)> = assigned.collect();
    assigned.sort_unstable();
    Reading { runs: walker.runs, faults: walker.budget.faults, cwd: shell.cwd, assigned }
}
