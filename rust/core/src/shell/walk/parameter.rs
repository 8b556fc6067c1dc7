//! The operations of `${…}` on a value that is known.

use crate::shell::field::{Field, UNKNOWN, has_glob, mark};

/// Letters of a value that patterns are tried on.
const MOST_LETTERS: usize = 256;

/// `${x#pattern}` or `${x%pattern}`: the longest match at the start, the shortest at the end.
pub(in crate::shell) fn trim(value: &Field, pattern: &str, at_end: bool) -> Field {
    if pattern.contains(UNKNOWN) || !value.is_exact() {
        return unsure(value);
    }
    let text = value.text.as_str();
    if !has_glob(pattern) {
        let rest = if at_end { text.strip_suffix(pattern) } else { text.strip_prefix(pattern) };
        return value.with_text(rest.unwrap_or(text));
    }
    if text.len() > MOST_LETTERS || pattern.len() > MOST_LETTERS {
        return unsure(value);
    }
    let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    if at_end {
        // `${f%.*}` is by far the commonest: the shortest match at the end.
        cuts.reverse();
        for cut in cuts {
            let (head, tail) = text.split_at(cut);
            if matches(pattern, tail) {
                return value.with_text(head);
            }
        }
    } else {
        // `${f##*/}`: the longest match at the start.
        cuts.reverse();
        for cut in cuts {
            let (head, tail) = text.split_at(cut);
            if matches(pattern, head) {
                return value.with_text(tail);
            }
        }
    }
    value.clone()
}

/// `${x/from/to}` and `${x//from/to}`.
pub(in crate::shell) fn replace(value: &Field, from: &Field, to: &Field, all: bool) -> Field {
    let is_literal = !has_glob(&from.text) && from.is_exact() && !from.text.is_empty();
    if !is_literal || !to.is_exact() || !value.is_exact() {
        return unsure(value);
    }
    let text = if all {
        value.text.replace(&from.text, &to.text)
    } else {
        value.text.replacen(&from.text, &to.text, 1)
    };
    value.with_text(text)
}

/// `${x:offset:length}`.
pub(in crate::shell) fn slice(value: &Field, offset: &str, length: Option<&str>) -> Field {
    let letters: Vec<char> = value.text.chars().collect();
    let place = |text: &str| {
        let number = text.trim().parse::<i64>().ok()?;
        let from_end = number < 0;
        let distance = usize::try_from(number.unsigned_abs()).ok()?;
        Some(if from_end { letters.len().saturating_sub(distance) } else { distance })
    };
    let start = place(offset);
    let end = match length {
        None => Some(letters.len()),
        Some(text) if text.trim().starts_with('-') => place(text),
        Some(text) => place(text).zip(start).map(|(length, start)| start.saturating_add(length)),
    };
    match (start, end) {
        (Some(start), Some(end)) if value.is_exact() => {
            let end = end.min(letters.len());
            let part = letters.get(start.min(end)..end).unwrap_or_default();
            value.with_text(part.iter().collect::<String>())
        }
        _ => unsure(value),
    }
}

/// `${#x}`.
pub(in crate::shell) fn length(value: Option<&Field>) -> Field {
    match value.and_then(Field::known) {
        Some(text) => Field::exact(text.chars().count().to_string()),
        None => Field::unknown(mark::PRESENT),
    }
}

fn unsure(value: &Field) -> Field {
    let mut field = Field::unknown(0);
    field.add_sources(&value.sources);
    field
}

/// Whether a pattern of `*`, `?` and letters matches a text whole.
pub(in crate::shell) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(letter) = text.get(seen) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == letter => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((back, from)) = star else { return false };
                star = Some((back, from + 1));
                at = back + 1;
                seen = from + 1;
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|letter| *letter == '*')
}
