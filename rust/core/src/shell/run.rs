//! What would run.

use std::sync::Arc;

use super::field::Field;
use super::walk::state::Shell;

/// A file that is opened: operator, file descriptor, name, marks.
pub(super) type OpenedFile = (&'static str, u32, String, u8);

/// One program that would run; the fields are those of `Run` in Python.
#[derive(Debug, Default)]
#[allow(missing_docs, reason = "the Python class that it becomes documents each field")]
pub struct Run {
    pub program: String,
    pub path: String,
    pub args: Vec<String>,
    pub marks: Vec<u8>,
    pub env: Vec<(String, String)>,
    pub redirects: Vec<(&'static str, u32, String, u8)>,
    pub cwd: Option<Arc<str>>,
    pub stdin: Option<String>,
    pub output: Option<String>,
    /// Slot (-1 is the standard input), first run, after the last run.
    pub sources: Vec<(isize, usize, usize)>,
    pub via: Vec<Arc<str>>,
    pub how: u16,
    pub depth: usize,
}

impl Run {
    pub(super) fn new(shell: &Shell) -> Self {
        Self {
            cwd: shell.cwd.clone(),
            via: shell.via.clone(),
            how: shell.how,
            depth: shell.depth,
            ..Self::default()
        }
    }

    /// Puts the words in their places.
    pub(super) fn set_words(&mut self, words: &[Field]) {
        for (slot, word) in words.iter().enumerate() {
            let slot = isize::try_from(slot).unwrap_or(isize::MAX);
            self.sources.extend(word.sources.iter().map(|&(first, last)| (slot, first, last)));
        }
        self.marks = words.iter().map(|word| word.mark).collect();
        let mut words = words.iter().map(|word| word.text.as_str());
        let named = words.next().unwrap_or_default();
        self.args = words.map(str::to_owned).collect();
        base_name(named).clone_into(&mut self.program);
        if named.contains('/') {
            named.clone_into(&mut self.path);
        }
    }
}

/// The files of one command.
#[derive(Debug, Default)]
pub(super) struct Opened {
    pub(super) files: Vec<OpenedFile>,
    /// The standard input, where it is a file or a here-document.
    pub(super) stdin: Option<Field>,
    /// The standard output goes into a file.
    pub(super) hides_output: bool,
}

/// The last part of a path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
