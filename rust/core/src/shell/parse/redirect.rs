//! Redirections and here-documents.

use super::{Parser, Pending};
use crate::shell::ast::{Redirect, Target, Word};

impl Parser<'_> {
    pub(super) fn redirects(&mut self) -> Vec<Redirect> {
        let mut found = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirect() {
                Some(redirect) => found.extend(redirect),
                None => return found,
            }
        }
    }

    /// A redirection here; the inner None is one that opens no file (`2>&1`).
    #[allow(clippy::option_option, reason = "none here, or one without a file")]
    pub(super) fn redirect(&mut self) -> Option<Option<Redirect>> {
        let rest = self.rest();
        let mut digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if rest.first() == Some(&b'{') {
            let close = rest.iter().take(64).position(|&byte| byte == b'}')?;
            digits = close + 1; // `{name}>file`
        }
        let operator = rest.get(digits..)?;
        let (length, op) = match operator {
            [b'&', b'>', b'>', ..] if digits == 0 => (3, ">>"),
            [b'&', b'>', ..] if digits == 0 => (2, ">"),
            [b'<' | b'>', b'(', ..] if digits == 0 => return None,
            [b'<', b'<', b'<', ..] => (3, "<<<"),
            [b'<', b'<', b'-', ..] => (3, "<<-"),
            [b'<', b'<', ..] => (2, "<<"),
            [b'<', b'>', ..] => (2, "<>"),
            [b'<', b'&', ..] => (2, "<&"),
            [b'<', ..] => (1, "<"),
            [b'>', b'>', ..] => (2, ">>"),
            [b'>', b'&', ..] => (2, ">&"),
            [b'>', b'|', ..] => (2, ">"),
            [b'>', ..] => (1, ">"),
            _ => return None,
        };
        let number = self.text.get(self.pos..self.pos + digits).and_then(|text| text.parse().ok());
        let fd = number.unwrap_or(u32::from(!op.starts_with('<')));
        self.pos += digits + length;
        self.skip_blanks();
        Some(self.redirect_target(op, fd))
    }

    pub(super) fn redirect_target(&mut self, op: &'static str, fd: u32) -> Option<Redirect> {
        let start = self.pos;
        let Some(word) = self.word() else {
            self.syntax();
            return None;
        };
        let target = match op {
            "<<" | "<<-" => {
                let raw = self.text.get(start..self.pos).unwrap_or_default();
                self.expect_heredoc(&word, raw, op == "<<-")
            }
            "<<<" => Target::Text(word),
            ">&" | "<&" => {
                let copies = word.bare().is_some_and(|text| {
                    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
                });
                if copies || op == "<&" {
                    return None;
                }
                Target::File(">", word)
            }
            file => Target::File(file, word),
        };
        Some(Redirect { fd, target })
    }

    pub(super) fn expect_heredoc(&mut self, word: &Word, raw: &str, strip_tabs: bool) -> Target {
        let number = self.heredocs.len();
        self.heredocs.push(Word::default());
        let literal = raw.contains(['\'', '"', '\\']);
        let delimiter = if literal { word.text() } else { raw.to_owned() };
        self.pending.push(Pending { number, delimiter, strip_tabs, literal });
        Target::Here(number)
    }

    pub(super) fn read_heredoc(&mut self, pending: &Pending) {
        let start = self.pos;
        let mut body = String::new();
        let mut end = None;
        while let Some(rest) = self.text.get(self.pos..).filter(|rest| !rest.is_empty()) {
            let length = rest.find('\n');
            let line = length.map_or(rest, |length| rest.get(..length).unwrap_or_default());
            let shown = if pending.strip_tabs { line.trim_start_matches('\t') } else { line };
            if shown.strip_suffix('\r').unwrap_or(shown) == pending.delimiter {
                end = Some(self.pos);
                self.pos += length.map_or(line.len(), |length| length + 1);
                break;
            }
            // `$(cat <<EOF` … `EOF)`: bash takes the document to end there.
            if self.substitutions > 0
                && let Some(after) = shown.strip_prefix(pending.delimiter.as_str())
                && after.starts_with(')')
            {
                end = Some(self.pos);
                self.pos += line.len() - after.len();
                break;
            }
            if pending.strip_tabs {
                body.push_str(shown);
                body.push('\n');
            }
            self.pos += length.map_or(line.len(), |length| length + 1);
        }
        if end.is_none() && self.pos > start {
            self.syntax(); // what is taken for a text may be commands
        }
        let text = self.text;
        let whole = text.get(start..end.unwrap_or(self.pos)).unwrap_or_default();
        let body = if pending.strip_tabs { body.as_str() } else { whole };
        let word = if pending.literal { Word::literal(body) } else { self.document(body) };
        if let Some(place) = self.heredocs.get_mut(pending.number) {
            *place = word;
        }
    }

    /// Here-documents whose text never came.
    pub(super) fn finish_heredocs(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.read_heredoc(&pending);
        }
    }
}
