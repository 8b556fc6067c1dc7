//! Commands in the scripts of awk and sed.

use crate::shell::field::{Field, UNKNOWN, mark};

/// The commands in an awk program: `system("…")`, `"…" | getline`, `print | "…"`.
pub(in crate::shell) fn awk(args: &[Field]) -> Option<Field> {
    let program = args.iter().find(|arg| arg.text.contains(['{', '(']))?;
    let text = &program.text;
    let mut said = String::new();
    let mut rest = text.as_str();
    let mut before = "";
    while let Some(start) = rest.find('"') {
        let head = rest.get(..start).unwrap_or_default();
        let tail = rest.get(start + 1..).unwrap_or_default();
        let (literal, after) = awk_string(tail);
        let lead = if head.trim().is_empty() { before } else { head }.trim_end();
        let runs = lead.ends_with("system(")
            || lead.trim_end_matches('(').trim_end().ends_with("system")
            || lead.ends_with('|')
            || after.trim_start().starts_with("| getline")
            || after.trim_start().starts_with("|getline");
        if runs {
            said.push_str(&literal);
            if !after.trim_start().starts_with([')', '}', ';', '|']) && !after.trim().is_empty() {
                said.push(UNKNOWN);
            }
            said.push('\n');
        }
        before = head;
        rest = after;
    }
    (!said.is_empty()).then(|| {
        let mark = if said.contains(UNKNOWN) { mark::UNKNOWN } else { 0 };
        Field { text: said, mark, sources: program.sources.clone() }
    })
}

fn awk_string(text: &str) -> (String, &str) {
    let mut literal = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (literal, text.get(at + 1..).unwrap_or_default()),
            '\\' => match letters.next() {
                Some((_, 'n')) => literal.push('\n'),
                Some((_, other)) => literal.push(other),
                None => {}
            },
            letter => literal.push(letter),
        }
    }
    (literal, "")
}

/// The command of GNU sed's `e`: `1e CODE`, `s/…/…/e` runs what it made.
pub(in crate::shell) fn sed(args: &[Field]) -> Option<Field> {
    let mut said = String::new();
    for arg in args {
        for part in arg.text.split([';', '\n']) {
            let part = part.trim_start().trim_start_matches(|letter: char| {
                letter.is_ascii_digit() || "$,~".contains(letter)
            });
            if let Some(code) = part.strip_prefix("e ") {
                said.push_str(code);
                said.push('\n');
            }
            let mut letters = part.chars();
            if letters.next() == Some('s')
                && let Some(separator) = letters.next().filter(char::is_ascii_punctuation)
            {
                let mut fields = part.split(separator).skip(2);
                let (to, flags) =
                    (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
                if flags.contains('e') && flags.len() < 4 {
                    said.push_str(to);
                    said.push('\n');
                }
            }
        }
    }
    (!said.is_empty()).then(|| Field::exact(said))
}
