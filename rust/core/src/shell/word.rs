//! Text to words: quotes, escapes, and everything that starts with `$`.

use std::rc::Rc;

use super::ansi::ansi_c;
use super::ast::{Operation, Parameter, Piece, Word};
use super::field::UNKNOWN_TEXT;
use super::parse::{Parser, parse};

/// Where a word, or a part of one, ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// At a blank or an operator.
    Word,
    /// The same, or at `)` and `|` only: a pattern of `case`.
    Pattern,
    /// At `"`.
    Quote,
    /// At `}`.
    Brace,
    /// At `}` or `/`.
    Slash,
    /// At `}` or `:`.
    Colon,
    /// At `)` or `]` outside of inner ones.
    Arithmetic(u8),
    /// At `]]`.
    Test,
    /// With the text.
    Text,
}

#[derive(Default)]
struct Builder {
    word: Word,
    /// Something stood here, if only `''`.
    started: bool,
}

impl Builder {
    fn push(&mut self, added: &str, is_quoted: bool) {
        self.started = true;
        if let Some(Piece::Text { text, quoted }) = self.word.pieces.last_mut()
            && *quoted == is_quoted
        {
            text.push_str(added);
        } else {
            self.word.pieces.push(Piece::Text { text: added.to_owned(), quoted: is_quoted });
        }
    }

    fn piece(&mut self, piece: Piece) {
        self.started = true;
        self.word.pieces.push(piece);
    }

    fn append(&mut self, word: Word) {
        self.started = true;
        self.word.braces |= word.braces;
        self.word.pieces.extend(word.pieces);
    }
}

impl Word {
    /// The literal text of the word, whatever is quoted.
    pub(super) fn text(&self) -> String {
        let texts = self.pieces.iter().map(|piece| match piece {
            Piece::Text { text, .. } => text.as_str(),
            _ => "",
        });
        texts.collect()
    }
}

impl Parser<'_> {
    /// The word here, if one starts here.
    pub(super) fn word(&mut self) -> Option<Word> {
        let built = self.node(End::Word)?;
        built.started.then_some(built.word)
    }

    pub(super) fn pattern(&mut self) -> Option<Word> {
        let built = self.node(End::Pattern)?;
        built.started.then_some(built.word)
    }

    fn node(&mut self, end: End) -> Option<Builder> {
        if !self.budget.node(self.pos) {
            self.stop();
            return None;
        }
        Some(self.pieces(end, false))
    }

    /// The value of an assignment, perhaps empty.
    pub(super) fn assigned(&mut self) -> Word {
        self.node(End::Word).unwrap_or_default().word
    }

    /// The body of a here-document whose delimiter is not quoted.
    pub(super) fn document(&mut self, body: &str) -> Word {
        let mut inner = Parser::new(body, self.budget, self.heredocs);
        inner.pieces(End::Text, true).word
    }

    /// What stands in `(( … ))`, with the closing.
    pub(super) fn arithmetic(&mut self) -> Word {
        let word = self.pieces(End::Arithmetic(b')'), false).word;
        if !self.eat("))") {
            self.syntax();
        }
        word
    }

    /// What stands in `[[ … ]]`, with the closing.
    pub(super) fn test(&mut self) -> Word {
        let word = self.pieces(End::Test, false).word;
        self.skip_blanks();
        if !self.eat("]]") {
            self.syntax();
        }
        word
    }

    /// Whether `))` closes what opened `offset` bytes ago: else two subshells start here.
    pub(super) fn is_arithmetic(&mut self, offset: usize) -> bool {
        let mut depth = 0_usize;
        let bytes = self.text.as_bytes();
        let mut at = self.pos + offset;
        while let Some(byte) = bytes.get(at) {
            if self.lookahead == 0 {
                return false;
            }
            self.lookahead -= 1;
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => return bytes.get(at + 1) == Some(&b')'),
                b')' => depth -= 1,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn pieces(&mut self, end: End, quoted: bool) -> Builder {
        let mut built = Builder::default();
        let mut inner = 0_usize;
        while let Some(byte) = self.peek() {
            if self.ends(end, byte, &mut inner) {
                break;
            }
            match byte {
                b'\\' => self.escape(&mut built, end, quoted),
                b'\'' if !quoted => self.single_quoted(&mut built),
                b'"' if end != End::Quote && end != End::Text => self.double_quoted(&mut built),
                b'$' => self.dollar(&mut built, quoted),
                b'`' => self.backticks(&mut built, quoted),
                b'<' | b'>' if end == End::Word => self.process(&mut built),
                b'~' if !quoted && !built.started => self.tilde(&mut built),
                _ => self.plain(&mut built, end, quoted),
            }
        }
        built
    }

    fn ends(&self, end: End, byte: u8, inner: &mut usize) -> bool {
        match end {
            End::Word => match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' => true,
                b'<' | b'>' => self.ahead(1) != Some(b'('),
                _ => false,
            },
            End::Pattern => matches!(byte, b' ' | b'\t' | b'\n' | b')' | b'|'),
            End::Quote => byte == b'"',
            End::Brace => byte == b'}',
            End::Slash => byte == b'}' || byte == b'/',
            End::Colon => byte == b'}' || byte == b':',
            End::Arithmetic(close) => {
                let open = if close == b')' { b'(' } else { b'[' };
                if byte == open {
                    *inner += 1;
                } else if byte == close {
                    if *inner == 0 {
                        return true;
                    }
                    *inner -= 1;
                }
                false
            }
            End::Test => {
                let before = self.pos.checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
                byte == b']'
                    && self.ahead(1) == Some(b']')
                    && before.is_some_and(u8::is_ascii_whitespace)
            }
            End::Text => false,
        }
    }

    /// A run of characters that mean nothing but themselves.
    fn plain(&mut self, built: &mut Builder, end: End, quoted: bool) {
        let start = self.pos;
        while let Some(byte) = self.peek() {
            if byte == b'{' {
                built.word.braces |= !quoted;
            }
            if byte == 0xEF && self.rest().starts_with(UNKNOWN_TEXT.as_bytes()) {
                break;
            }
            self.pos += 1;
            let next = self.peek();
            let special = |next| match end {
                End::Word => {
                    b" \t\n\r;&|()<>\\'\"$`".contains(&next)
                }
                _ => !next.is_ascii_alphanumeric() && next < 0x80,
            };
            if next.is_none_or(special) {
                break;
            }
        }
        built.push(self.text.get(start..self.pos).unwrap_or_default(), quoted);
        if self.rest().starts_with(UNKNOWN_TEXT.as_bytes()) {
            self.pos += UNKNOWN_TEXT.len();
            if !self.budget.node(self.pos) {
                self.stop();
            }
            built.piece(Piece::Unknown { quoted });
        }
    }

    fn escape(&mut self, built: &mut Builder, end: End, quoted: bool) {
        self.pos += 1;
        let Some(next) = self.peek() else {
            built.push("\\", true);
            return;
        };
        if next == b'\n' {
            self.pos += 1;
            return;
        }
        let escapes = b"$`\\".contains(&next) || (next == b'"' && end != End::Text);
        let in_braces = matches!(end, End::Brace | End::Slash | End::Colon);
        let kept = quoted && !escapes && !in_braces;
        if kept {
            built.push("\\", true);
            return;
        }
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.chars().next().map_or(1, char::len_utf8);
        built.push(rest.get(..length).unwrap_or_default(), true);
        self.pos += length;
    }

    fn single_quoted(&mut self, built: &mut Builder) {
        self.pos += 1;
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let length = rest.find('\'');
        if length.is_none() {
            self.syntax();
        }
        let inside = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        built.push(inside, true);
        self.pos = (self.pos + inside.len() + 1).min(self.text.len());
    }

    fn double_quoted(&mut self, built: &mut Builder) {
        self.pos += 1;
        let Some(inside) = self.deeper(|parser| parser.pieces(End::Quote, true)) else { return };
        built.push("", true); // `""` is a word
        built.append(inside.word);
        if !self.eat("\"") {
            self.syntax();
        }
    }

    fn tilde(&mut self, built: &mut Builder) {
        self.pos += 1;
        let start = self.pos;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.+".contains(&byte))
        {
            self.pos += 1;
        }
        let user = self.text.get(start..self.pos).unwrap_or_default();
        built.piece(Piece::Tilde(user.to_owned()));
    }

    fn process(&mut self, built: &mut Builder) {
        let reads = self.peek() == Some(b'<');
        self.pos += 2;
        let list = Rc::new(self.substitution());
        built.piece(Piece::Process { list, reads });
    }

    /// The commands up to the `)` of a substitution, and that.
    fn substitution(&mut self) -> super::ast::List {
        self.substitutions += 1;
        let list = self.list(&[]);
        self.close_paren();
        self.substitutions -= 1;
        list
    }

    fn backticks(&mut self, built: &mut Builder, quoted: bool) {
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

    fn dollar(&mut self, built: &mut Builder, quoted: bool) {
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

    fn ansi_quoted(&mut self, built: &mut Builder) {
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

    fn name(&mut self) -> String {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.pos += 1;
        }
        self.text.get(start..self.pos).unwrap_or_default().to_owned()
    }

    /// What stands in `${ … }`, without the closing.
    fn braced(&mut self, built: &mut Builder, quoted: bool) {
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

    fn operation(&mut self, quoted: bool) -> Operation {
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
