//! What starts with `$`, and the other substitutions.

use std::rc::Rc;

use super::ansi::ansi_c;
use super::word::{Builder, End};
use super::{Parser, parse};
use crate::shell::ast::{List, Operation, Parameter, Piece, Word};

impl Parser<'_> {
    pub(super) fn process(&mut self, built: &mut Builder) {
        let reads = self.peek() == Some(b'<');
        self.pos += 2;
        let list = Rc::new(self.substitution());
        built.piece(Piece::Process { list, reads });
    }

    /// The commands up to the `)` of a substitution, and that.
    pub(super) fn substitution(&mut self) -> List {
        self.substitutions += 1;
        let list = self.list(&[]);
        self.close_paren();
        self.substitutions -= 1;
        list
    }

    pub(super) fn backticks(&mut self, built: &mut Builder, quoted: bool) {
        self.pos += 1;
        if !self.budget.node(self.pos) {
            self.stop();
            return;
        }
        let mut code = Vec::new();
        let mut closed = false;
        while let Some(byte) = self.peek() {
            self.pos += 1;
            match (byte, self.peek()) {
                (b'`', _) => {
                    closed = true;
                    break;
                }
                (b'\\', Some(next)) if b"`\\$".contains(&next) || (quoted && next == b'"') => {
                    code.push(next);
                    self.pos += 1;
                }
                _ => code.push(byte),
            }
        }
        if !closed {
            self.syntax();
        }
        let code = String::from_utf8_lossy(&code).into_owned();
        if !self.budget.decode(code.len()) {
            return;
        }
        let list = self.deeper(|parser| parse(&code, parser.budget, parser.heredocs));
        let list = Rc::new(list.unwrap_or_default());
        built.piece(Piece::Command { list, quoted });
    }

    pub(super) fn dollar(&mut self, built: &mut Builder, quoted: bool) {
        match self.ahead(1) {
            Some(b'(') => {
                if self.ahead(2) == Some(b'(') && self.is_arithmetic(3) {
                    self.pos += 3;
                    let word = self.deeper(Self::arithmetic).unwrap_or_default();
                    built.piece(Piece::Arithmetic(Rc::new(word)));
                } else {
                    self.pos += 2;
                    let list = Rc::new(self.substitution());
                    built.piece(Piece::Command { list, quoted });
                }
            }
            Some(b'{') => {
                self.pos += 2;
                let made = self.deeper(|parser| parser.braced(built, quoted));
                if made.is_some() && !self.eat("}") {
                    self.syntax();
                }
            }
            Some(b'[') => {
                self.pos += 2;
                let end = End::Arithmetic(b']');
                let word = self.deeper(|parser| parser.pieces(end, false).word);
                self.eat("]");
                built.piece(Piece::Arithmetic(Rc::new(word.unwrap_or_default())));
            }
            Some(b'\'') if !quoted => self.ansi_quoted(built),
            Some(b'"') if !quoted => {
                self.pos += 1;
                self.double_quoted(built);
            }
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.pos += 1;
                let name = self.name();
                built.piece(parameter(name, Operation::Plain, quoted));
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(&byte) => {
                self.pos += 2;
                let name = char::from(byte).to_string();
                built.piece(parameter(name, Operation::Plain, quoted));
            }
            _ => {
                self.pos += 1;
                built.push("$", quoted);
            }
        }
    }

    pub(super) fn ansi_quoted(&mut self, built: &mut Builder) {
        self.pos += 2;
        let start = self.pos;
        let mut closed = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => self.pos += 2,
                b'\'' => {
                    closed = true;
                    break;
                }
                _ => self.pos += 1,
            }
        }
        if !closed {
            self.syntax();
        }
        let end = self.pos.min(self.text.len());
        built.push(&ansi_c(self.text.get(start..end).unwrap_or_default()), true);
        self.pos = (end + 1).min(self.text.len());
    }

    pub(super) fn name(&mut self) -> String {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.pos += 1;
        }
        self.text.get(start..self.pos).unwrap_or_default().to_owned()
    }

    /// What stands in `${ … }`, without the closing.
    pub(super) fn braced(&mut self, built: &mut Builder, quoted: bool) {
        if self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b'|') {
            self.pos += 1; // bash 5.3: `${ commands; }`
            let list = Rc::new(self.list(&["}"]));
            built.piece(Piece::Command { list, quoted });
            return;
        }
        let mut operation = Operation::Plain;
        if self.peek() == Some(b'#') && !matches!(self.ahead(1), Some(b'}' | b':' | b'-')) {
            self.pos += 1;
            operation = Operation::Length;
        } else if self.peek() == Some(b'!') && self.ahead(1) != Some(b'}') {
            self.pos += 1;
            operation = Operation::Indirect;
        }
        let mut name = self.name();
        if name.is_empty()
            && let Some(byte) = self.peek().filter(|byte| b"@*#?$!-".contains(byte))
        {
            self.pos += 1;
            name = char::from(byte).to_string();
        }
        let mut all = false;
        if self.peek() == Some(b'[') {
            self.pos += 1;
            all = matches!(self.peek(), Some(b'@' | b'*'));
            self.pieces(End::Arithmetic(b']'), false);
            self.eat("]");
        }
        if self.peek() != Some(b'}') {
            operation = self.operation(quoted);
        }
        let parameter = Rc::new(Parameter { name, all, operation });
        built.piece(Piece::Parameter { parameter, quoted });
    }

    pub(super) fn operation(&mut self, quoted: bool) -> Operation {
        let colon = self.peek() == Some(b':');
        let operator = if colon { self.ahead(1) } else { self.peek() };
        let Some(operator) = operator else { return Operation::Plain };
        if b"-=+?".contains(&operator) {
            self.pos += 1 + usize::from(colon);
            let word = self.pieces(End::Brace, quoted).word;
            return match operator {
                b'+' => Operation::Alternative(word),
                b'?' => Operation::Required,
                _ => Operation::Default(word),
            };
        }
        if colon {
            self.pos += 1;
            let offset = self.pieces(End::Colon, quoted).word;
            let length = self.eat(":").then(|| self.pieces(End::Brace, quoted).word);
            return Operation::Slice(offset, length);
        }
        self.pos += 1;
        let twice = self.peek() == Some(operator);
        if twice {
            self.pos += 1;
        }
        match operator {
            b'/' => {
                let from = self.pieces(End::Slash, quoted).word;
                let to = if self.eat("/") {
                    self.pieces(End::Brace, quoted).word
                } else {
                    Word::default()
                };
                Operation::Replace { from, to, all: twice }
            }
            b'#' => Operation::TrimStart(self.pieces(End::Brace, quoted).word),
            b'%' => Operation::TrimEnd(self.pieces(End::Brace, quoted).word),
            b'^' | b',' => {
                self.pieces(End::Brace, quoted);
                if operator == b'^' { Operation::Upper } else { Operation::Lower }
            }
            _ => {
                // `${x@Q}` and what no shell knows
                self.pieces(End::Brace, quoted);
                Operation::Plain
            }
        }
    }
}

fn parameter(name: String, operation: Operation, quoted: bool) -> Piece {
    Piece::Parameter { parameter: Rc::new(Parameter { name, all: false, operation }), quoted }
}
