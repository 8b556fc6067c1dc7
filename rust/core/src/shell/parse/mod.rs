//! Text to commands: one pass over the bytes, which recovers from what no shell would take.

pub(in crate::shell) mod ansi;
mod compound;
mod dollar;
mod redirect;
mod simple;
mod word;

use crate::shell::ast::{Command, Item, Joined, List, Word};
use crate::shell::budget::{Budget, FaultKind};

/// Words that open or close a compound command where a command can start.
const KEYWORDS: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "in", "select", "function", "time", "coproc", "{", "}", "!", "[[", "]]",
];
/// Keywords that end a list.
const CLOSERS: [&str; 9] = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]"];

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) budget: &'a mut Budget,
    /// Bodies of here-documents, of all texts of a reading.
    pub(super) heredocs: &'a mut Vec<Word>,
    pending: Vec<Pending>,
    /// `$(` around this place: a here-document may end just before the `)`.
    pub(super) substitutions: usize,
    /// Bytes that may still be looked at ahead of their turn, so that this stays linear.
    pub(super) lookahead: usize,
}

struct Pending {
    number: usize,
    delimiter: String,
    strip_tabs: bool,
    literal: bool,
}

/// Reads a whole text.
pub(super) fn parse(text: &str, budget: &mut Budget, heredocs: &mut Vec<Word>) -> List {
    let mut parser = Parser::new(text, budget, heredocs);
    let mut all = List::default();
    loop {
        all.items.append(&mut parser.list(&[]).items);
        if parser.peek().is_none() {
            break;
        }
        parser.syntax(); // a `)` or `;;` that closes nothing
        parser.pos += 1;
    }
    parser.finish_heredocs();
    all
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, budget: &'a mut Budget, heredocs: &'a mut Vec<Word>) -> Self {
        let lookahead = text.len().saturating_mul(4).saturating_add(4096);
        Self { text, pos: 0, budget, heredocs, pending: Vec::new(), substitutions: 0, lookahead }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    pub(super) fn ahead(&self, by: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + by).copied()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        if found {
            self.pos += text.len();
        }
        found
    }

    pub(super) fn syntax(&mut self) {
        self.budget.fault(FaultKind::Syntax, self.pos, false);
    }

    /// Gives up the rest of the text: a limit was reached.
    pub(super) fn stop(&mut self) {
        self.pos = self.text.len();
    }

    /// Runs `work` one layer down, or gives the rest up.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.budget.enter(self.pos) {
            self.stop();
            return None;
        }
        let made = work(self);
        self.budget.leave();
        Some(made)
    }

    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.pos += 1,
                Some(b'\\') if self.ahead(1) == Some(b'\n') => self.pos += 2,
                Some(b'#') => {
                    let line = self.rest().iter().position(|&byte| byte == b'\n');
                    self.pos = line.map_or(self.text.len(), |length| self.pos + length);
                }
                _ => return,
            }
        }
    }

    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    pub(super) fn newline(&mut self) {
        self.pos += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.read_heredoc(&pending);
        }
    }

    /// Commands up to the end, a `)`, a `;;` or one of these keywords.
    pub(super) fn list(&mut self, closers: &[&str]) -> List {
        self.deeper(|parser| parser.list_items(closers)).unwrap_or_default()
    }

    pub(super) fn list_items(&mut self, closers: &[&str]) -> List {
        let mut list = List::default();
        let mut joined = Joined::Always;
        loop {
            self.skip_lines();
            match self.peek() {
                None | Some(b')') => break,
                Some(b';') if self.ahead(1) == Some(b';') => break,
                _ => {}
            }
            if let Some(word) = self.keyword()
                && CLOSERS.contains(&word)
            {
                if closers.contains(&word) {
                    break;
                }
                self.syntax();
                self.pos += word.len();
                continue;
            }
            let stages = self.pipeline();
            if stages.is_empty() {
                if self.peek().is_some() {
                    self.syntax();
                    self.pos += self.operator_length();
                }
                continue;
            }
            self.skip_blanks();
            let (background, next) = self.separator();
            list.items.push(Item { stages, joined, background });
            joined = next;
        }
        if joined != Joined::Always {
            self.syntax();
        }
        list
    }

    /// Bytes of the operator or the character here, to step over it.
    pub(super) fn operator_length(&self) -> usize {
        self.text.get(self.pos..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }

    pub(super) fn separator(&mut self) -> (bool, Joined) {
        if self.eat("&&") {
            (false, Joined::And)
        } else if self.eat("||") {
            (false, Joined::Or)
        } else if self.peek() == Some(b'&') {
            self.pos += 1;
            (true, Joined::Always)
        } else {
            if self.peek() == Some(b';') && self.ahead(1) != Some(b';') {
                self.pos += 1;
            }
            (false, Joined::Always)
        }
    }

    pub(super) fn pipeline(&mut self) -> Vec<Command> {
        let mut stages = Vec::new();
        loop {
            self.skip_lines();
            while let Some(word @ ("!" | "time")) = self.keyword() {
                self.pos += word.len();
                self.skip_blanks();
                if word == "time" && self.rest().starts_with(b"-p ") {
                    self.pos += 2;
                    self.skip_blanks();
                }
            }
            match self.command() {
                Some(command) => stages.push(command),
                None if stages.is_empty() => return stages,
                None => {
                    self.syntax();
                    return stages;
                }
            }
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.ahead(1) == Some(b'|') {
                return stages;
            }
            self.pos += if self.ahead(1) == Some(b'&') { 2 } else { 1 };
        }
    }

    /// The keyword here, if a whole word is one.
    pub(super) fn keyword(&self) -> Option<&'static str> {
        let rest = self.rest();
        let length = rest.iter().take(9).position(|byte| b" \t\r\n;&|()<>".contains(byte));
        let word = rest.get(..length.unwrap_or(rest.len().min(9)))?;
        KEYWORDS.into_iter().find(|keyword| keyword.as_bytes() == word)
    }

    pub(super) fn eat_keyword(&mut self, word: &'static str) -> bool {
        self.skip_lines();
        let found = self.keyword() == Some(word);
        if found {
            self.pos += word.len();
        } else {
            self.syntax();
        }
        found
    }
}
