//! Brace lists: `{a,b}` and `{1..9}`.

use crate::shell::ast::{Piece, Word};

/// Braces of one word that are looked at: each list is put into the words around it.
const MOST_BRACES: usize = 128;
/// Words that one word may become by lists.
const MOST_WORDS: usize = 256;
/// Members of a range that are written out; a longer one is a word that is not known.
const MOST_MEMBERS: usize = 16;

#[derive(Clone)]
enum Token {
    Open,
    Comma,
    Close,
    Piece(Piece),
}

/// The words that a word with braces becomes; None when they are too many.
pub(in crate::shell) fn expand(word: &Word) -> Option<Vec<Word>> {
    if count(word) > MOST_BRACES {
        return None;
    }
    let mut waiting = vec![tokens(word)];
    let mut done = Vec::new();
    while let Some(next) = waiting.pop() {
        if let Some(parts) = split(&next) {
            waiting.extend(parts.into_iter().rev());
        } else {
            done.push(join(next));
        }
        if waiting.len() + done.len() > MOST_WORDS {
            return None;
        }
    }
    Some(done)
}

/// Characters that a list is made of, as far as it matters how many.
fn count(word: &Word) -> usize {
    let texts = word.pieces.iter().filter_map(|piece| match piece {
        Piece::Text { text, quoted: false } => Some(text),
        _ => None,
    });
    let letters = texts.flat_map(|text| text.bytes());
    letters.filter(|letter| b"{,}".contains(letter)).take(MOST_BRACES + 1).count()
}

fn tokens(word: &Word) -> Vec<Token> {
    let mut tokens = Vec::new();
    for piece in &word.pieces {
        let Piece::Text { text, quoted: false } = piece else {
            tokens.push(Token::Piece(piece.clone()));
            continue;
        };
        for part in text.split_inclusive(['{', ',', '}']) {
            let (plain, token) = match part.chars().next_back() {
                Some('{') => (part.strip_suffix('{'), Some(Token::Open)),
                Some(',') => (part.strip_suffix(','), Some(Token::Comma)),
                Some('}') => (part.strip_suffix('}'), Some(Token::Close)),
                _ => (Some(part), None),
            };
            if let Some(plain) = plain.filter(|plain| !plain.is_empty()) {
                tokens.push(text_token(plain));
            }
            tokens.extend(token);
        }
    }
    tokens
}

fn text_token(text: &str) -> Token {
    Token::Piece(Piece::Text { text: text.to_owned(), quoted: false })
}

/// The alternatives of the first group that is one; None where there is none.
fn split(tokens: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut first: Option<(usize, usize, Vec<usize>)> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => open.push((at, Vec::new())),
            Token::Comma => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            Token::Close => {
                let Some((start, commas)) = open.pop() else { continue };
                let is_group = !commas.is_empty() || range(tokens, start, at).is_some();
                if is_group && first.as_ref().is_none_or(|(found, ..)| start < *found) {
                    first = Some((start, at, commas));
                }
            }
            Token::Piece(_) => {}
        }
    }
    let (start, end, commas) = first?;
    let before = tokens.get(..start)?;
    let after = tokens.get(end + 1..)?;
    let members = if commas.is_empty() {
        range(tokens, start, end)?
    } else {
        let mut members = Vec::new();
        let mut from = start + 1;
        for comma in commas.into_iter().chain([end]) {
            members.push(tokens.get(from..comma)?.to_vec());
            from = comma + 1;
        }
        members
    };
    Some(members.into_iter().map(|member| [before, &member, after].concat()).collect())
}

/// The members of `{a..b}` between two tokens.
fn range(tokens: &[Token], start: usize, end: usize) -> Option<Vec<Vec<Token>>> {
    let [Token::Piece(Piece::Text { text, .. })] = tokens.get(start + 1..end)? else {
        return None;
    };
    let mut parts = text.split("..");
    let (from, to) = (parts.next()?, parts.next()?);
    let step = parts.next().map_or(Some(1), |step| step.parse::<i64>().ok())?;
    let letter = |text: &str| {
        let mut letters = text.chars();
        letters.next().filter(|first| first.is_ascii_alphabetic() && letters.next().is_none())
    };
    let numbers = (from.parse::<i64>(), to.parse::<i64>());
    let (low, high, letters) = match (letter(from), letter(to), numbers) {
        (Some(from), Some(to), _) => (from as i64, to as i64, true),
        (_, _, (Ok(from), Ok(to))) => (from, to, false),
        _ => return None,
    };
    let step = step.unsigned_abs().max(1);
    if low.abs_diff(high) / step >= MOST_MEMBERS as u64 {
        return Some(vec![vec![Token::Piece(Piece::Unknown { quoted: true })]]);
    }
    let mut members = Vec::new();
    let mut at = low;
    loop {
        let text = match u32::try_from(at).ok().and_then(char::from_u32) {
            Some(letter) if letters => letter.to_string(),
            _ => at.to_string(),
        };
        members.push(vec![text_token(&text)]);
        let Ok(step) = i64::try_from(step) else { break };
        let next = if low <= high { at.checked_add(step) } else { at.checked_sub(step) };
        match next {
            Some(next) if (low <= high && next <= high) || (low > high && next >= high) => {
                at = next;
            }
            _ => break,
        }
    }
    Some(members)
}

fn join(tokens: Vec<Token>) -> Word {
    let mut pieces: Vec<Piece> = Vec::new();
    for token in tokens {
        let piece = match token {
            Token::Piece(piece) => piece,
            Token::Open => Piece::Text { text: "{".to_owned(), quoted: false },
            Token::Comma => Piece::Text { text: ",".to_owned(), quoted: false },
            Token::Close => Piece::Text { text: "}".to_owned(), quoted: false },
        };
        pieces.push(piece);
    }
    Word { pieces, braces: false }
}
