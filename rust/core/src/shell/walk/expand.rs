//! Words to fields: what a shell's expansions make of them, as far as that is known.

use crate::shell::ast::{Operation, Parameter, Piece, Word};
use crate::shell::budget::FaultKind;
use crate::shell::field::{Field, UNKNOWN, has_glob, mark};
use crate::shell::walk::Walker;
use crate::shell::walk::braces;
use crate::shell::walk::parameter;
use crate::shell::walk::state::{Choice, Shell, Value};

/// Fields in the making.
#[derive(Default)]
struct Fields {
    done: Vec<Field>,
    current: Option<Field>,
}

impl Fields {
    fn push(&mut self, field: &Field) {
        self.current.get_or_insert_with(Field::default).push(field);
    }

    fn finish(&mut self) {
        self.done.extend(self.current.take());
    }

    /// Adds an unquoted value: it is split where `separators` stand.
    fn split(&mut self, field: &Field, separators: &str) {
        if !field.text.contains(|letter| separators.contains(letter)) {
            if !field.text.is_empty() {
                let mut field = field.clone();
                field.mark |= if has_glob(&field.text) { mark::GLOB } else { 0 };
                self.push(&field);
            }
            return;
        }
        for (number, part) in field.text.split(|letter| separators.contains(letter)).enumerate() {
            if number > 0 {
                self.finish();
            }
            if !part.is_empty() {
                let mut part = field.with_text(part);
                part.mark |= if has_glob(&part.text) { mark::GLOB } else { 0 };
                self.push(&part);
            }
        }
    }
}

impl Walker<'_> {
    /// Expands words to fields; `alternative` picks among the values that a variable may have.
    pub(in crate::shell) fn expand(
        &mut self,
        words: &[Word],
        shell: &mut Shell,
        alternative: usize,
    ) -> Vec<Field> {
        let mut fields = Fields::default();
        for word in words {
            if let [Piece::Text { text, quoted }] = word.pieces.as_slice()
                && !word.braces
            {
                let mark = if !quoted && has_glob(text) { mark::GLOB } else { 0 };
                fields.done.push(Field { text: text.clone(), mark, sources: Vec::new() });
                continue;
            }
            if !word.braces {
                self.expand_word(word, shell, alternative, &mut fields);
                continue;
            }
            let Some(words) = braces::expand(word) else {
                self.budget.fault(FaultKind::Decoded, 0, true);
                fields.done.push(Field::unknown(mark::UNQUOTED));
                continue;
            };
            for word in &words {
                self.expand_word(word, shell, alternative, &mut fields);
            }
        }
        fields.done
    }

    fn expand_word(
        &mut self,
        word: &Word,
        shell: &mut Shell,
        alternative: usize,
        fields: &mut Fields,
    ) {
        for piece in &word.pieces {
            self.expand_piece(piece, shell, alternative, fields);
        }
        fields.finish();
    }

    /// Expands a word that stays one field: a value, a file's name, a text.
    pub(in crate::shell) fn expand_one(
        &mut self,
        word: &Word,
        shell: &mut Shell,
        alternative: usize,
    ) -> Field {
        let mut fields = Fields::default();
        for piece in &word.pieces {
            self.expand_piece(piece, shell, alternative, &mut fields);
        }
        fields.finish();
        let mut fields = fields.done.into_iter();
        let mut one = fields.next().unwrap_or_default();
        for field in fields {
            one.text.push(' ');
            one.push(&field);
        }
        one
    }

    fn expand_piece(
        &mut self,
        piece: &Piece,
        shell: &mut Shell,
        alternative: usize,
        fields: &mut Fields,
    ) {
        match piece {
            // Not bash's way, but that of other shells: `rm${IFS}-rf${IFS}~`.
            Piece::Text { text, quoted: false }
                if fields.current.is_none() && (text == "~" || text.starts_with("~/")) =>
            {
                let mark = if has_glob(text) { mark::GLOB } else { 0 };
                let text = format!("{}{}", self.home, text.get(1..).unwrap_or_default());
                fields.push(&Field { text, mark, sources: Vec::new() });
            }
            Piece::Text { text, quoted } => {
                let mark = if !quoted && has_glob(text) { mark::GLOB } else { 0 };
                fields.push(&Field { text: text.clone(), mark, sources: Vec::new() });
            }
            Piece::Tilde(user) => fields.push(&self.tilde(user, shell)),
            Piece::Parameter { parameter, quoted } => {
                self.parameter(parameter, *quoted, shell, alternative, fields);
            }
            Piece::Command { list, quoted } => {
                let output = self.capture(list, shell);
                let text = output.text.trim_end_matches('\n');
                add(fields, &output.with_text(text), *quoted, shell);
            }
            Piece::Process { list, reads } => {
                let field = self.process(list, *reads, shell);
                fields.push(&field);
            }
            Piece::Arithmetic(word) => {
                self.expand_one(word, shell, alternative);
                fields.push(&Field::unknown(mark::PRESENT));
            }
            Piece::Unknown { quoted } => {
                let mut field = Field::unknown(0);
                field.add_sources(&shell.code_sources);
                add(fields, &field, *quoted, shell);
            }
        }
    }

    fn tilde(&self, user: &str, shell: &Shell) -> Field {
        let home = self.home;
        match user {
            "" => Field::exact(home),
            "+" => shell.cwd_field(),
            "-" => Field::unknown(mark::PRESENT),
            "root" => Field::exact("/root"),
            user => {
                let homes = home.rsplit_once('/').map_or("", |(homes, _)| homes);
                let homes = if homes.is_empty() { "/home" } else { homes };
                Field::exact(format!("{homes}/{user}"))
            }
        }
    }

    fn parameter(
        &mut self,
        parameter: &Parameter,
        quoted: bool,
        shell: &mut Shell,
        alternative: usize,
        fields: &mut Fields,
    ) {
        let name = parameter.name.as_str();
        let all = parameter.all || matches!(name, "@" | "*");
        let values = shell.look_up(name, all, self.home);
        self.width = self.width.max(values.alternatives());
        if let Some(Value::Many(many)) = &values
            && all
            && matches!(parameter.operation, Operation::Plain)
        {
            for (number, field) in many.clone().iter().enumerate() {
                if number > 0 {
                    fields.finish();
                }
                add(fields, field, quoted, shell);
            }
            return;
        }
        let value = values.pick(alternative);
        let field = self.operate(&parameter.operation, value, shell, alternative);
        // Each part of an unquoted value becomes a word of its own.
        let work = field.text.len().saturating_mul(if quoted { 1 } else { 8 });
        if !self.budget.decode(work) {
            add(fields, &Field::unknown(0), quoted, shell);
            return;
        }
        add(fields, &field, quoted, shell);
    }

    fn operate(
        &mut self,
        operation: &Operation,
        value: Option<Field>,
        shell: &mut Shell,
        alternative: usize,
    ) -> Field {
        let is_empty = value.as_ref().is_none_or(|field| field.text.is_empty());
        match operation {
            Operation::Default(word) if is_empty => self.expand_one(word, shell, alternative),
            Operation::Alternative(word) => match &value {
                Some(value) if value.text.is_empty() => Field::default(),
                _ => self.expand_one(word, shell, alternative),
            },
            Operation::Required => value.unwrap_or_else(|| Field::unknown(mark::PRESENT)),
            Operation::Indirect => {
                let name = value.as_ref().and_then(Field::known).unwrap_or_default();
                let found = shell.look_up(name, false, self.home).pick(alternative);
                found.unwrap_or_else(|| Field::unknown(0))
            }
            Operation::TrimStart(word) | Operation::TrimEnd(word) => {
                let pattern = self.expand_one(word, shell, alternative);
                let at_end = matches!(operation, Operation::TrimEnd(_));
                let value = value.unwrap_or_else(|| Field::unknown(0));
                // Every cut of the value is tried.
                let cuts = value.text.len().saturating_mul(value.text.len());
                let tries = cuts.saturating_mul(pattern.text.len());
                if !self.budget.decode(tries) {
                    return Field::unknown(0);
                }
                parameter::trim(&value, &pattern.text, at_end)
            }
            Operation::Replace { from, to, all } => {
                let from = self.expand_one(from, shell, alternative);
                let to = self.expand_one(to, shell, alternative);
                let value = value.unwrap_or_else(|| Field::unknown(0));
                parameter::replace(&value, &from, &to, *all)
            }
            Operation::Slice(offset, length) => {
                let offset = self.expand_one(offset, shell, alternative);
                let length =
                    length.as_ref().map(|word| self.expand_one(word, shell, alternative).text);
                let value = value.unwrap_or_else(|| Field::unknown(0));
                parameter::slice(&value, &offset.text, length.as_deref())
            }
            Operation::Length => parameter::length(value.as_ref()),
            Operation::Upper => value.map_or_else(
                || Field::unknown(0),
                |field| field.with_text(field.text.to_uppercase()),
            ),
            Operation::Lower => value.map_or_else(
                || Field::unknown(0),
                |field| field.with_text(field.text.to_lowercase()),
            ),
            Operation::Plain | Operation::Default(_) => value.unwrap_or_else(|| Field::unknown(0)),
        }
    }
}

fn add(fields: &mut Fields, field: &Field, quoted: bool, shell: &Shell) {
    if quoted {
        let mut field = field.clone();
        field.mark &= !(mark::UNQUOTED | mark::GLOB);
        fields.push(&field);
        return;
    }
    let mut field = field.clone();
    if field.text.contains(UNKNOWN) {
        field.mark |= mark::UNQUOTED;
    }
    fields.split(&field, shell.separators());
}
