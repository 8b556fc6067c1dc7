//! Simple commands: assignments, words and redirections.

use super::Parser;
use crate::shell::ast::{Assignment, Command, Simple, Value, Word};

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Option<Command> {
        let mut simple = Simple::default();
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect() {
                simple.redirects.extend(redirect);
                continue;
            }
            let assigns = simple.words.is_empty() || (self.starts_array() && declares(&simple));
            if assigns && let Some(assignment) = self.assignment() {
                simple.assignments.push(assignment);
                continue;
            }
            if self.peek() == Some(b'(') {
                match self.parenthesis(&mut simple) {
                    Some(function) => return Some(function),
                    None => continue,
                }
            }
            match self.word() {
                Some(word) => simple.words.push(word),
                None => break,
            }
        }
        let empty =
            simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty();
        (!empty).then_some(Command::Simple(simple))
    }

    /// A `(` after words: a function's name is before it, or it is an error.
    pub(super) fn parenthesis(&mut self, simple: &mut Simple) -> Option<Command> {
        self.pos += 1;
        self.skip_blanks();
        let name = match simple.words.as_slice() {
            [word] if simple.assignments.is_empty() && self.peek() == Some(b')') => word.bare(),
            _ => None,
        };
        if let Some(name) = name {
            self.pos += 1;
            return self.definition(name.to_owned());
        }
        self.syntax(); // go on with what stands inside, as words
        None
    }

    /// `name=(` or `name+=(` comes next.
    pub(super) fn starts_array(&self) -> bool {
        let rest = self.rest();
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let after = rest.get(rest.iter().take_while(is_name).count()..).unwrap_or_default();
        after.starts_with(b"=(") || after.starts_with(b"+=(")
    }

    pub(super) fn assignment(&mut self) -> Option<Assignment> {
        let rest = self.rest();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_name(byte))?;
        if length == 0 || rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let mut after = length;
        let mut append = false;
        if rest.get(after) == Some(&b'[') {
            let close = rest.iter().take(256).position(|&byte| byte == b']')?;
            after = close + 1;
            append = true;
        }
        if rest.get(after) == Some(&b'+') {
            after += 1;
            append = true;
        }
        if rest.get(after) != Some(&b'=') {
            return None;
        }
        let name = self.text.get(self.pos..self.pos + length)?.to_owned();
        self.pos += after + 1;
        let value = if self.eat("(") { self.array() } else { Value::Word(self.assigned()) };
        Some(Assignment { name, append, value })
    }

    pub(super) fn array(&mut self) -> Value {
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            match self.word() {
                Some(word) => words.push(word),
                None => break,
            }
        }
        self.close_paren();
        Value::Array(words)
    }
}

/// Whether a command declares variables: then its arguments may be arrays.
fn declares(simple: &Simple) -> bool {
    let name = simple.words.first().and_then(Word::bare);
    matches!(name, Some("declare" | "typeset" | "local" | "readonly" | "export"))
}
