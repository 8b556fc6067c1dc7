//! Text to words: quotes, escapes, and everything that starts with `$`.

use super::Parser;
use crate::shell::ast::{Piece, Word};
use crate::shell::field::UNKNOWN_TEXT;

/// Where a word, or a part of one, ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
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
pub(super) struct Builder {
    pub(super) word: Word,
    /// Something stood here, if only `''`.
    pub(super) started: bool,
}

impl Builder {
    pub(super) fn push(&mut self, added: &str, is_quoted: bool) {
        self.started = true;
        if let Some(Piece::Text { text, quoted }) = self.word.pieces.last_mut()
            && *quoted == is_quoted
        {
            text.push_str(added);
        } else {
            self.word.pieces.push(Piece::Text { text: added.to_owned(), quoted: is_quoted });
        }
    }

    pub(super) fn piece(&mut self, piece: Piece) {
        self.started = true;
        self.word.pieces.push(piece);
    }

    pub(super) fn append(&mut self, word: Word) {
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

    pub(super) fn node(&mut self, end: End) -> Option<Builder> {
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

    pub(super) fn pieces(&mut self, end: End, quoted: bool) -> Builder {
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

    pub(super) fn ends(&self, end: End, byte: u8, inner: &mut usize) -> bool {
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
    pub(super) fn plain(&mut self, built: &mut Builder, end: End, quoted: bool) {
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
                End::Word => b" \t\n\r;&|()<>\\'\"$`".contains(&next),
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

    pub(super) fn escape(&mut self, built: &mut Builder, end: End, quoted: bool) {
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

    pub(super) fn single_quoted(&mut self, built: &mut Builder) {
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

    pub(super) fn double_quoted(&mut self, built: &mut Builder) {
        self.pos += 1;
        let Some(inside) = self.deeper(|parser| parser.pieces(End::Quote, true)) else { return };
        built.push("", true); // `""` is a word
        built.append(inside.word);
        if !self.eat("\"") {
            self.syntax();
        }
    }

    pub(super) fn tilde(&mut self, built: &mut Builder) {
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
}
