//! Compound commands: groups, conditions, loops, `case`, functions.

use std::rc::Rc;

use super::{CLOSERS, Parser};
use crate::shell::ast::{Block, Command, List, Part, Word};

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Option<Command> {
        self.deeper(Self::command_here).flatten()
    }

    pub(super) fn command_here(&mut self) -> Option<Command> {
        if !self.budget.node(self.pos) {
            self.stop();
            return None;
        }
        if self.peek() == Some(b'(') {
            return Some(if self.ahead(1) == Some(b'(') && self.is_arithmetic(2) {
                self.pos += 2;
                let word = self.arithmetic();
                self.block(vec![word], Vec::new())
            } else {
                self.subshell()
            });
        }
        let Some(keyword) = self.keyword() else { return self.simple() };
        if keyword == "in" || CLOSERS.contains(&keyword) {
            return if keyword == "in" { self.simple() } else { None };
        }
        self.pos += keyword.len();
        match keyword {
            "if" => Some(self.conditional()),
            "while" | "until" => {
                let condition = self.list(&["do"]);
                Some(self.body(Vec::new(), condition))
            }
            "for" | "select" => Some(self.repeat()),
            "case" => Some(self.case()),
            "function" => self.function(),
            "{" => {
                let list = self.list(&["}"]);
                self.require(&list);
                self.eat_keyword("}");
                Some(self.block(Vec::new(), vec![Part { list, maybe: false }]))
            }
            "[[" => {
                let word = self.test();
                Some(self.block(vec![word], Vec::new()))
            }
            _ => self.coprocess(),
        }
    }

    /// A list that must hold something.
    pub(super) fn require(&mut self, list: &List) {
        if list.items.is_empty() {
            self.syntax();
        }
    }

    pub(super) fn block(&mut self, words: Vec<Word>, parts: Vec<Part>) -> Command {
        let redirects = self.redirects();
        Command::Block(Block { words, parts, subshell: false, redirects })
    }

    pub(super) fn subshell(&mut self) -> Command {
        self.pos += 1;
        let list = self.list(&[]);
        self.require(&list);
        self.close_paren();
        let redirects = self.redirects();
        let parts = vec![Part { list, maybe: false }];
        Command::Block(Block { words: Vec::new(), parts, subshell: true, redirects })
    }

    pub(super) fn close_paren(&mut self) {
        self.skip_lines();
        if !self.eat(")") {
            self.syntax();
        }
    }

    pub(super) fn conditional(&mut self) -> Command {
        let mut parts = Vec::new();
        let mut maybe = false;
        loop {
            let condition = self.list(&["then"]);
            self.require(&condition);
            parts.push(Part { list: condition, maybe });
            maybe = true;
            if !self.eat_keyword("then") {
                break;
            }
            let list = self.list(&["elif", "else", "fi"]);
            self.require(&list);
            parts.push(Part { list, maybe });
            if self.keyword() == Some("elif") {
                self.pos += "elif".len();
                continue;
            }
            if self.keyword() == Some("else") {
                self.pos += "else".len();
                let list = self.list(&["fi"]);
                self.require(&list);
                parts.push(Part { list, maybe });
            }
            self.eat_keyword("fi");
            break;
        }
        self.block(Vec::new(), parts)
    }

    /// `do … done` after a condition.
    pub(super) fn body(&mut self, words: Vec<Word>, condition: List) -> Command {
        let list = self.loop_body();
        let parts = vec![Part { list: condition, maybe: false }, Part { list, maybe: true }];
        self.block(words, parts)
    }

    pub(super) fn loop_body(&mut self) -> List {
        self.skip_lines();
        let (open, close) = if self.keyword() == Some("{") { ("{", "}") } else { ("do", "done") };
        if !self.eat_keyword(open) {
            return List::default();
        }
        let list = self.list(&[close]);
        self.require(&list);
        self.eat_keyword(close);
        list
    }

    pub(super) fn repeat(&mut self) -> Command {
        self.skip_blanks();
        if self.rest().starts_with(b"((") {
            self.pos += 2;
            let word = self.arithmetic();
            self.skip_lines();
            self.eat(";");
            return self.body(vec![word], List::default());
        }
        let name = self.word().and_then(|word| word.bare().map(str::to_owned));
        if name.is_none() {
            self.syntax();
        }
        self.skip_lines();
        let mut words = None;
        if self.keyword() == Some("in") {
            self.pos += "in".len();
            let mut list = Vec::new();
            self.skip_blanks();
            while let Some(word) = self.word() {
                list.push(word);
                self.skip_blanks();
            }
            words = Some(list);
        }
        if self.peek() == Some(b';') {
            self.pos += 1;
        }
        let body = self.loop_body();
        let redirects = self.redirects();
        Command::For { name: name.unwrap_or_default(), words, body, redirects }
    }

    pub(super) fn case(&mut self) -> Command {
        self.skip_blanks();
        let subject = self.word();
        if subject.is_none() || !self.eat_keyword("in") {
            self.syntax();
        }
        let mut parts = Vec::new();
        loop {
            self.skip_lines();
            if self.keyword() == Some("esac") {
                self.pos += "esac".len();
                break;
            }
            if self.peek().is_none() || !self.patterns() {
                self.syntax();
                break;
            }
            let list = self.list(&["esac"]);
            parts.push(Part { list, maybe: true });
            if self.eat(";;") {
                self.eat("&");
            } else {
                self.eat(";&");
            }
        }
        self.block(subject.into_iter().collect(), parts)
    }

    /// The patterns of a branch, with their `)`.
    pub(super) fn patterns(&mut self) -> bool {
        self.eat("(");
        loop {
            self.skip_blanks();
            if self.pattern().is_none() {
                return false;
            }
            self.skip_blanks();
            if self.eat(")") {
                return true;
            }
            if !self.eat("|") {
                return false;
            }
        }
    }

    pub(super) fn function(&mut self) -> Option<Command> {
        self.skip_blanks();
        let name = self.word().and_then(|word| word.bare().map(str::to_owned));
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            self.eat(")");
        }
        self.definition(name?)
    }

    pub(super) fn definition(&mut self, name: String) -> Option<Command> {
        self.skip_lines();
        let body = Rc::new(self.command()?);
        if matches!(*body, Command::Simple(_)) {
            self.syntax();
        }
        Some(Command::Function { name, body })
    }

    pub(super) fn coprocess(&mut self) -> Option<Command> {
        self.skip_blanks();
        let start = self.pos;
        if self.word().is_some() {
            self.skip_blanks();
            if self.keyword() != Some("{") && self.peek() != Some(b'(') {
                self.pos = start; // no name: that was the command
            }
        }
        self.command()
    }
}
